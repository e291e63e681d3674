import { expect, test } from 'vitest'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { createCheckMask } from './check-mask.ts'

test('a test runner prints what the suite has sent, and nothing else that is not known', async () => {
  const configuration = await resolveConfiguration({ name: 'acme' }, { directory: '/', environment: {} })
  const journal = createJournal()
  const mask = createCheckMask({ configuration, journal, redactor: createRedactor() })
  journal.record({
    kind: 'http',
    from: 'suite',
    to: 'mint',
    at: 0,
    durationMs: 1,
    request: { method: 'POST', url: 'https://mint.test/', headers: [], body: '{"userId":"q8Zk3vWmX2"}' },
  })
  const message = 'saw "q8Zk3vWmX2" and "pL7RtY9aBc"; expected a token'
  const result = mask({
    id: 'MINT-01',
    title: 'a requirement',
    role: 'mint',
    level: 'MUST',
    clauses: [],
    verdict: 'fail',
    reason: null,
    durationMs: 1,
    findings: [{ level: 'MUST', verdict: 'fail', message, evidence: [] }],
    observations: {},
  } satisfies CheckResult)
  expect(result.findings[0]?.message).toMatch(
    /^saw "q8Zk3vWmX2" and "‹10 characters #\w{4}›"; expected a token$/,
  )
})
