import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditFiles } from '../testing/audit-files.ts'

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

test('falls back to raw bytes where the table does not hold, and says so', async () => {
  const { findings, gaps } = await auditFiles({ 'main.jsbundle': (await sample('v89')).subarray(0, 900) })
  expect(gaps).toMatchObject([{ rule: 'AUD-096' }])
  expect(findings.some(({ rule }) => rule === 'AUD-001')).toBe(true)
})
