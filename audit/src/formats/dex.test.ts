import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'

type Width = 1 | 2 | 4

/** A file without strings whose code fills an array with these elements. */
function dexWith(width: Width, elements: readonly number[]): Buffer {
  const header = Buffer.alloc(0x70)
  header.write('dex\n035\0', 'latin1')
  const array = Buffer.alloc(8 + Math.ceil((elements.length * width) / 4) * 4)
  array.writeUInt16LE(0x0300, 0)
  array.writeUInt16LE(width, 2)
  array.writeUInt32LE(elements.length, 4)
  for (const [index, element] of elements.entries())
    array.writeUIntLE(element < 0 ? element + 2 ** (8 * width) : element, 8 + index * width, width)
  const bytes = Buffer.concat([header, Buffer.from([0x26, 0, 3, 0, 0, 0, 0x0e, 0]), array])
  bytes.writeUInt32LE(bytes.length, 32)
  return bytes
}

async function found(dex: Buffer) {
  const { findings } = await auditFiles({ 'classes.dex': dex }, { mintHost: 'api.example.com' })
  return findings.map(({ rule, level, fingerprint }) => ({ rule, level, fingerprint }))
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = [
  part({ alg: 'HS256', typ: 'JWT' }),
  part({ sub: 'u-1', scope: 'calling', exp: Math.floor(Date.now() / 1000) + 900 }),
  part({ of: 'a signature of the test' }),
].join('.')
const call = 'https://api.example.com/api/v1/calling/token'
const codes = (text: string, mask = 0) => [...Buffer.from(text)].map((code) => code ^ mask)
/** As a compiler stores negative bytes in an array of `int`. */
const signed = (numbers: readonly number[]) => numbers.map((number) => (number << 24) >> 24)

describe('an array that code fills', () => {
  test.each<Width>([2, 4])('spells a key in elements of %i bytes', async (width) => {
    expect(await found(dexWith(width, codes(key)))).toContainEqual(
      expect.objectContaining({ level: 'error', fingerprint: fingerprintOf(key) }),
    )
  })

  test.each<Width>([1, 2, 4])('spells a key under a mask in elements of %i bytes', async (width) => {
    expect(await found(dexWith(width, codes(`${key}\0`, 0x5a)))).toEqual([
      { rule: 'AUD-007', level: 'warning', fingerprint: fingerprintOf(key) },
    ])
    expect(await found(dexWith(width, signed(codes(`${key}\0`, 0xaa))))).toHaveLength(1)
  })

  test.each<Width>([1, 2, 4])('spells a token and a call in elements of %i bytes', async (width) => {
    for (const mask of [0, 0x5a]) {
      expect(await found(dexWith(width, codes(jwt, mask)))).toEqual([
        { rule: 'AUD-010', level: 'error', fingerprint: fingerprintOf(jwt) },
      ])
      expect(await found(dexWith(width, codes(call, mask)))).toMatchObject([
        { rule: 'AUD-020', level: 'error' },
      ])
    }
  })

  test('is ignored where it is cut off or claims more than the file holds', async () => {
    const whole = dexWith(4, codes(key))
    expect(await found(whole.subarray(0, -8))).toEqual([])
    whole.writeUInt32LE(0x7fff_ffff, 0x7c)
    expect(await found(whole)).toEqual([])
  })
})
