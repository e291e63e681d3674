import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditFiles, placesOf } from '../testing/audit-files.ts'

const sample = (version: string) => readFile(join(import.meta.dirname, 'samples', `${version}.hbc`))

test.each(['v84', 'v89', 'v99'])(
  'reads the packed strings of bytecode %s to their exact ends',
  async (version) => {
    const { findings, gaps } = await auditFiles({ 'main.jsbundle': await sample(version) })
    expect(gaps).toEqual([])
    expect(
      findings
        .filter(({ rule }) => rule === 'AUD-001')
        .map(({ length }) => length)
        .sort(),
    ).toEqual([32, 32, 35])
    expect(findings.filter(({ rule }) => rule === 'AUD-003')).toHaveLength(1)
  },
)

test('falls back to raw bytes where the table does not parse, and says so', async () => {
  const { findings, gaps } = await auditFiles({ 'main.jsbundle': (await sample('v89')).subarray(0, 900) })
  expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  expect(findings.some(({ rule }) => rule === 'AUD-001')).toBe(true)
})

test('neither fails nor stays silent on mutated bytecode', async () => {
  const whole = await sample('v89')
  let state = 8920
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const files: Record<string, Buffer> = {}
  for (let index = 0; index < 300; index++) {
    const mutated = Buffer.from(whole)
    for (let times = 1 + random(4); times > 0; times--) mutated[12 + random(200)] = random(256)
    files[`${index}.hbc`] = mutated
  }
  const { findings, gaps } = await auditFiles(files)
  const spoken = new Set([...placesOf(findings), ...placesOf(gaps)])
  expect(spoken.size).toBe(300)
})
