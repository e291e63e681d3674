import { expect, test } from 'vitest'
import { auditInMemory } from '../audit/in-memory.ts'
import { key } from '../testing/audit-files.ts'
import { createRandom, faultOf, mutate } from '../testing/fuzz.ts'

/** Literals that follow each other, and names that end in a zero. */
function metadata(literals: readonly string[], names: readonly string[], version = 29): Buffer {
  const head = Buffer.alloc(256)
  const data = Buffer.from(literals.join(''))
  const rows = Buffer.alloc(literals.length * 8)
  let at = 0
  for (const [index, literal] of literals.entries()) {
    rows.writeUInt32LE(literal.length, index * 8)
    rows.writeUInt32LE(at, index * 8 + 4)
    at += literal.length
  }
  const last = Buffer.from(names.map((name) => `${name}\0`).join(''))
  const places = [
    256,
    rows.length,
    256 + rows.length,
    data.length,
    256 + rows.length + data.length,
    last.length,
  ]
  for (const [index, value] of [0xfab11baf, version, ...places].entries())
    head.writeUInt32LE(value, index * 4)
  return Buffer.concat([head, rows, data, last])
}

const audit = (bytes: Buffer) => auditInMemory({ location: 'a', name: 'global-metadata.dat', bytes })
const neighbours = metadata(
  ['beta_a', 'c_live_7fK2mPq7Rt4Vw8Xy1Zb3', key, 'NextLiteral', 'x'.repeat(90)],
  ['ac_live_badge_count'],
)

test('literals that are packed back to back are read to their exact ends, and names as names', async () => {
  const { findings, gaps } = await audit(neighbours)
  const [first, second] = findings.map(({ rule, length, extent, decoder }) => [rule, length, extent, decoder])
  expect(findings.filter(({ level }) => level === 'error')).toHaveLength(1)
  expect([first, second]).toContainEqual(['AUD-001', key.length, undefined, 'string-table'])
  expect(gaps).toEqual([])
})

test('the tables of another version are not guessed', async () => {
  const { findings, gaps } = await audit(metadata(['a', key], [], 39))
  expect(findings.map(({ rule }) => rule)).toEqual(['AUD-001'])
  expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
})

test('damaged tables hide nothing', async () => {
  const random = createRandom(18)
  for (let index = 0; index < 60; index++)
    expect(await faultOf('global-metadata.dat', mutate(neighbours, random), key)).toBeNull()
})
