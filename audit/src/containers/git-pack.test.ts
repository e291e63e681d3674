import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { fingerprintOf } from '../model/fingerprint.ts'
import { key } from '../testing/audit-files.ts'

const head = (objects: number) =>
  Buffer.from(`5041434b00000002${objects.toString(16).padStart(8, '0')}`, 'hex')
const trailer = Buffer.alloc(20, 7)

/** An object of a kind: its size takes two bytes, and a change begins with what it is a change to. */
function objectOf(kind: number, content: string, base = Buffer.alloc(0)): Buffer {
  const size = content.length
  const first = Buffer.from([0x80 | (kind << 4) | (size & 15), size >> 4])
  return Buffer.concat([first, base, deflateSync(Buffer.from(content))])
}

const audit = (bytes: Buffer) => auditInMemory({ location: 'a.pack', name: 'a.pack', bytes })

test.each([
  ['a blob', objectOf(3, `const key = '${key}'; // of a blob`)],
  ['a change to an object before it', objectOf(6, `x'${key}'y`, Buffer.from([0x81, 0x05]))],
  ['a change to an object by its name', objectOf(7, `x'${key}'y`, Buffer.alloc(20, 3))],
])('finds a key in %s of a Git pack, behind other objects', async (_, object) => {
  const { findings, gaps } = await audit(
    Buffer.concat([head(2), objectOf(1, 'tree of a commit'), object, trailer]),
  )
  expect(findings.map(({ fingerprint, level }) => [fingerprint, level])).toEqual([
    [fingerprintOf(key), 'error'],
  ])
  expect(gaps).toEqual([])
})

test('finds a key in the pack of a Git bundle', async () => {
  const lines = '# v2 git bundle\n0123456789abcdef0123456789abcdef01234567 HEAD\n\n'
  const pack = Buffer.concat([head(1), objectOf(3, `const key = '${key}'`), trailer])
  const { findings, gaps } = await audit(Buffer.concat([Buffer.from(lines), pack]))
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
  expect(gaps).toEqual([])
})

test('reports a pack that is cut off', async () => {
  const whole = Buffer.concat([head(1), objectOf(3, `const key = '${key}'`)])
  const { gaps } = await audit(whole.subarray(0, whole.length - 8))
  expect(gaps).toMatchObject([{ rule: 'AUD-091' }])
})

test('reports a pack that has more objects than it states', async () => {
  const object = objectOf(3, `const key = '${key}'`)
  const { gaps } = await audit(Buffer.concat([head(1), objectOf(1, 'tree of a commit'), object, trailer]))
  expect(gaps).toMatchObject([{ rule: 'AUD-097' }])
})
