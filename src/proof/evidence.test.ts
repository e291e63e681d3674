import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'

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
