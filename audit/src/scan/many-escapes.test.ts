import { expect, test } from 'vitest'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { key } from '../testing/audit-files.ts'

test('keeps what it has found before escaped prefixes that are more than it looks at, and says so', async () => {
  const escaped = (text: string) => `%61${text.slice(1)} `
  const bytes = Buffer.from(escaped(key) + escaped('ac_live_').repeat(30_000))
  const { findings, gaps } = await auditInMemory({ location: 'a.txt', name: 'a.txt', bytes })
  expect(findings).toContainEqual(expect.objectContaining({ length: key.length, decoder: 'percent' }))
  expect(gaps).toContainEqual(
    expect.objectContaining({
      rule: 'AUD-093',
      location: 'a.txt',
      reason: expect.stringMatching(/^more places/),
    }),
  )
})
