import { describe, expect, test } from 'vitest'
import { type ReferenceOptions, startReference } from '../../../fixtures/stack.ts'
import type { ProvenCheck } from '../../../src/catalogue/load-requirements.ts'
import type { AnyCheck, Variant } from '../../../src/requirement/define.ts'
import { createJudge } from '../../../src/requirement/judge.ts'
import type { CheckContext, Need } from '../../../src/requirement/needs.ts'
import { type CheckResult, runCheck, sortByTurn } from '../../../src/requirement/run.ts'
import { openSession, type Session } from '../../../src/requirement/session.ts'
import { proveAgainWhereUndecided, type RepeatableCase } from '../cases.ts'
import { describeGap } from '../table.ts'

/** Starts a stack and judges it by some requirements, one after the other. */
export async function judgeInTurn(
  checks: readonly AnyCheck[],
  variant: Variant,
  options: ReferenceOptions = {},
): Promise<CheckResult[]> {
  await using reference = await startReference({ ...options, variant })
  await using session = await openSession(reference.configuration, reference.session)
  const results: CheckResult[] = []
  for (const check of checks) results.push(await runCheck(check, session))
  return results
}

/** Starts a stack and judges it by some requirements at once, in the order of a run. */
export async function judgeTogether(
  checks: readonly AnyCheck[],
  variant: Variant,
  options: ReferenceOptions = {},
): Promise<CheckResult[]> {
  await using reference = await startReference({ ...options, variant })
  await using session = await openSession(reference.configuration, reference.session)
  return await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
}

/** Gives a test the parts that a requirement with these needs is given. */
export function partsOf<N extends Need>(session: Session, needs: readonly N[]): CheckContext<N> {
  const parts = session.contextFor({ id: 'TEST', needs }, createJudge('INFO'))
  if ('missing' in parts) throw new Error(`the stack has no ${needs.join(' or no ')}`)
  return parts as CheckContext<N>
}

export async function judge(
  check: AnyCheck,
  variant: Variant,
  options?: ReferenceOptions,
): Promise<CheckResult> {
  const [result] = await judgeInTurn([check], variant, options)
  if (result === undefined) throw new Error(`${check.id} gave no result`)
  return result
}

/**
 * Registers every quick case as a test of its own: it passes where each of its cells is as it should be. Each variant that a
 * requirement declares is a case, so that none vanishes unseen; `npm run check -- proof` has the others.
 */
export function proveInTests(cases: readonly RepeatableCase[], declaring: readonly ProvenCheck[]): void {
  // One that takes long keeps none of another kind waiting.
  const quick = cases.filter(({ isQuick }) => isQuick)
  describe.concurrent.each([...new Set(quick.map(({ kind }) => kind))])('%s', (kind) => {
    for (const one of quick.filter((each) => each.kind === kind)) {
      test.concurrent(one.name, async ({ expect: expected }) => {
        const cells = await proveAgainWhereUndecided(one)
        expected(cells.length).toBeGreaterThan(0)
        // As one text, so that the message shows it whole.
        expected(
          cells
            .filter(({ holds }) => !holds)
            .map(describeGap)
            .join('\n'),
        ).toBe('')
      })
    }
  })

  test('every declared broken variant is a case', () => {
    const declared = declaring.flatMap(({ id, catches }) =>
      Object.keys(catches).map((name) => `${id}/${name}`),
    )
    const proved = cases.filter(({ kind }) => kind === 'broken').map(({ name }) => name)
    expect(declared.length).toBeGreaterThan(0)
    expect(proved.toSorted()).toEqual(declared.toSorted())
  })
}
