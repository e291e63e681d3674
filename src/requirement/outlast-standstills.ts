import { standstillWindowMs } from '../base/standstill.ts'
import { worst } from '../base/verdict.ts'
import { type Finding, type Try, withReason } from './judge.ts'

// A client has limits on time: where this machine stood still, a client that conforms meets them without an answer, as one does
// that breaks off. A violation that was seen meanwhile is judged again.

/** More was lost of a time in which most clients give up. */
const mostLostMs = standstillWindowMs / 2
const mostTries = 3

/**
 * Returns the first try during which the machine kept going, or that accuses the client of nothing. Where there is none, returns the
 * last one without its accusations.
 */
export async function outlastStandstills(first: Try, again: () => Promise<Try>): Promise<Try> {
  let tried = first
  for (let tries = 1; isBlurred(tried); tries += 1) {
    if (tries === mostTries) return withoutAccusation(tried)
    tried = await again()
  }
  return tried
}

function isBlurred({ conclude, standstillMs = 0 }: Try): boolean {
  return standstillMs > mostLostMs && conclude().findings.some(isAccusation)
}

/** A secret that was seen where it must not be is there, however slow the machine was. */
function isAccusation(finding: Finding): boolean {
  return finding.verdict === 'fail' && !(finding.seen !== undefined && finding.isShown === true)
}

function withoutAccusation(tried: Try): Try {
  const [lost, window] = [tried.standstillMs ?? 0, standstillWindowMs].map((ms) => Math.round(ms / 1000))
  const reason = `this machine stood still for ${lost} of ${window} s in each of ${mostTries} tries, and clients give up meanwhile; judge it on a machine that is less busy`
  return {
    conclude(excuse) {
      const judgement = tried.conclude(excuse)
      const findings = judgement.findings.filter((finding) => !isAccusation(finding))
      const verdicts = findings.map(({ verdict }) => verdict)
      return {
        ...judgement,
        ...withReason(judgement, reason),
        findings,
        verdict: worst(verdicts, 'untested'),
      }
    },
  }
}
