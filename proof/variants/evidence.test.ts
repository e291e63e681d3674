import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

test('a request of a failing verdict is found in the log of the implementation', async () => {
  const log: string[] = []
  await using reference = await startReference({
    variant: {
      mint: {
        success: () => ({ status: 200, headers: {}, body: '{}' }),
        answer(usual, { method, headers }) {
          log.push(`${method} ${usual.status} "${headers['user-agent']}"`)
          return usual
        },
      },
    },
  })
  await using session = await openSession(reference.configuration, { seed: 7 })
  const check = (await loadCatalogue()).find(({ id }) => id === 'MINT-02')
  if (check === undefined) throw new Error('there is no MINT-02')
  const { verdict, findings } = await runCheck(check, session)
  expect(verdict).toBe('fail')
  const evidence = findings.flatMap((finding) => finding.evidence)
  expect(evidence.length).toBeGreaterThan(0)
  for (const id of evidence)
    expect(log.filter((line) => line.endsWith(`(7; ${id})"`))).toEqual([
      expect.stringMatching(/^POST 200 "twotoken\/\d+\.\d+\.\d+ /),
    ])
})

test('an exchange names the case that it was sent for', async () => {
  await using reference = await startReference()
  await using session = await openSession(reference.configuration)
  const check = (await loadCatalogue()).find(({ id }) => id === 'MINT-05')
  if (check === undefined) throw new Error('there is no MINT-05')
  await runCheck(check, session)
  const cases = session.journal.drain().map((exchange) => exchange.case)
  expect(cases).toContain('a request with an unknown key')
  expect(cases).toContain('a request with the first half of a key')
})

test('so is an upgrade in the log of signaling', async () => {
  const log: string[] = []
  await using reference = await startReference({
    variant: {
      signaling: {
        handshake({ method, headers }) {
          log.push(`${method} "${headers['user-agent']}"`)
          return 401
        },
      },
    },
  })
  await using session = await openSession(reference.configuration, { seed: 7 })
  const check = (await loadCatalogue()).find(({ id }) => id === 'SIG-02')
  if (check === undefined) throw new Error('there is no SIG-02')
  const { findings } = await runCheck(check, session)
  const evidence = findings.flatMap((finding) => finding.evidence)
  const upgrades = session.journal
    .drain()
    .filter(({ id, kind }) => kind === 'websocket' && evidence.includes(id))
  expect(upgrades.length).toBeGreaterThan(0)
  for (const { id } of upgrades)
    expect(log.filter((line) => line.endsWith(`(7; ${id})"`))).toEqual([
      expect.stringMatching(/^GET "twotoken\/\d+\.\d+\.\d+ /),
    ])
})
