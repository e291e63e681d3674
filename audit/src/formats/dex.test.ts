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
  const { findings } = await auditFiles({ 'classes.dex': dex })
  return findings.map(({ rule, level, fingerprint }) => ({ rule, level, fingerprint }))
}

const codes = (text: string, mask = 0) => [...Buffer.from(text)].map((code) => code ^ mask)
describe('an array that code fills', () => {
  test.each<Width>([2, 4])('spells a key in elements of %i bytes', async (width) => {
    expect(await found(dexWith(width, codes(key)))).toContainEqual(
      expect.objectContaining({ level: 'error', fingerprint: fingerprintOf(key) }),
    )
  })

  test('spells a key under a mask in bytes', async () => {
    expect(await found(dexWith(1, codes(`${key}\0`, 0x5a)))).toEqual([
      { rule: 'AUD-007', level: 'warning', fingerprint: fingerprintOf(key) },
    ])
  })
})
