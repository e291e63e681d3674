import { expect, test } from 'vitest'
import { auditFiles } from '../src/testing/audit-files.ts'
import { scriptIdioms, tokenIdioms } from './script-idioms.ts'

const key = 'ac_live_kV7bQ2mZx9RtL4wYp8NcH3sD6f'
const idioms = Object.entries(scriptIdioms).flatMap(([kind, writes]) =>
  Object.entries(writes).map(([name, write]) => ({ kind, name, script: write(key) })),
)

/** Turns words around that are written for something else, which no clue tells from any other script. */
const missed = new Set(['repeat and index'])

test('no idiom shows the key as it is', () => {
  expect(idioms.filter(({ script }) => script.includes(key)).map(({ name }) => name)).toEqual([])
})

test.each(idioms.filter(({ name }) => !missed.has(name)))(
  'finds a key by $kind: $name',
  async ({ script }) => {
    const { findings, gaps } = await auditFiles({ 'app.js': script })
    const whole = findings.filter(({ length }) => length === key.length)
    expect(whole.map(({ rule }) => rule)).toEqual([expect.stringMatching(/^AUD-00[1567]$/)])
    expect(gaps).toEqual([])
  },
)

test.each(Object.entries(tokenIdioms))('finds a token by %s', async (_, write) => {
  const { findings } = await auditFiles({ 'app.js': write('user-17') })
  expect(findings.map(({ rule }) => rule)).toEqual(['AUD-010'])
})
