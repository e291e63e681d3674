import { TwotokenError } from '../../base/errors.ts'
import type { Registered } from '../../base/evidence/redact.ts'
import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { whileJudging } from '../../base/watchdog.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { AnyCheck } from '../../requirement/define.ts'
import { createJudge } from '../../requirement/judge.ts'
import type { CommonContext } from '../../requirement/needs.ts'
import { type CheckResult, runCheck, sortByPhase } from '../../requirement/run.ts'
import { openSession, type SessionOptions } from '../../requirement/session.ts'

/** Results of one session, or the reason why it could not be opened. */
export type JudgedAgain<Learned> =
  | {
      readonly results: readonly CheckResult[]
      readonly learned: Learned
      readonly secrets: readonly Registered[]
    }
  | { readonly failure: string }

/** Judges the requirements at once, as a run does. `learn` looks at the parts first, while nothing else is under way. */
export async function judgeAgain<Learned>(
  checks: readonly AnyCheck[],
  configuration: Configuration,
  options: SessionOptions,
  learn: (parts: CommonContext) => Promise<Learned>,
): Promise<JudgedAgain<Learned>> {
  try {
    await using session = await openSession(configuration, options)
    const parts = session.contextFor({ id: 'BLAME', needs: [] }, createJudge('INFO'))
    if ('missing' in parts) return { failure: parts.missing.reason }
    const learned = await whileJudging('--blame', () => learn(parts))
    const results = await Promise.all(sortByPhase(checks).map((check) => runCheck(check, session)))
    return { results, learned, secrets: session.redactor.drain() }
  } catch (error) {
    if (error instanceof TwotokenError) return { failure: error.message }
    throw error
  }
}

/**
 * Says whether signaling accepts an ordinary token; false where none is issued, null where there is no
 * signaling to ask.
 */
export async function acceptsOrdinaryToken({ available }: CommonContext): Promise<boolean | null> {
  const [signaling, tokens] = [available('signaling'), available('callingTokens')]
  if (signaling === undefined || tokens === undefined) return null
  try {
    const attempt = await signaling.join(await tokens.fresh())
    return attempt.outcome === 'accepted'
  } catch (error) {
    if (error instanceof ControlLost || error instanceof Untested) return false
    throw error
  }
}
