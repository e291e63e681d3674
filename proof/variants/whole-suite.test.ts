import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Role, Variant } from '../../src/requirement/define.ts'
import { runCheck, sortByPhase } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import expiredTokens from '../../suites/backend/never-returns-expired-tokens.ts'
import mismatchedUser from '../../suites/signaling/rejects-mismatched-user-id.ts'

// Requirements that run at once must not hide from each other what each finds alone.

const catalogue = await loadCatalogue(['signaling', 'backend'])

const kept = mismatchedUser.catches['keeps the user in a variable'] ?? {}
const atLimit = expiredTokens.catches['falls back on an expired token at a limit'] ?? {}

test.concurrent.each<[string, string, Role, Variant, string]>([
  ['SIG-05', 'a user that is kept in a variable', 'signaling', kept, 'another user named'],
  ['BACK-10', 'a fallback on an expired token', 'backend', atLimit, 'a token returned'],
])(
  '%s catches %s, also where all requirements of its part are judged',
  async (id, _, role, variant, seen) => {
    await using reference = await startReference({ variant, withSecureDouble: true })
    await using session = await openSession(reference.configuration, { ...reference.session, wait: true })
    const checks = sortByPhase(catalogue.filter((check) => check.role === role))
    const results = await Promise.all(checks.map((check) => runCheck(check, session)))
    const { verdict, findings } = results.find((result) => result.id === id) ?? {
      verdict: null,
      findings: [],
    }
    expect(verdict).toBe('fail')
    const failed = findings.find((finding) => finding.verdict === 'fail')
    expect(failed).toMatchObject({ seen: expect.stringContaining(seen) })
  },
)
