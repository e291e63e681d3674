import type { Reply } from '../../../src/base/http/client.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { MintRequest } from '../../../src/roles/mint/driver.ts'

/** A request that must be rejected; its name completes "a request with …". */
export interface Attack {
  readonly name: string
  readonly request: MintRequest
}

/** The clause that asks for the rejection, and the sentence that says what to change. */
export interface Rule {
  readonly clause: string
  readonly fix: string
}

/** The result of an attack. */
export interface Outcome {
  readonly name: string
  readonly reply: Reply
  /** The response's status; `null` without a response. */
  readonly status: number | null
  readonly hasMinted: boolean
  /** It met the status of an overload again and again while ordinary requests were served: that is its rejection. */
  readonly isSettled?: true
}

/** Sends so many of the requests that met one status of an overload again, so often, each time after a control. */
const settling = { requests: 3, rounds: 2 }

/**
 * Sends requests that must be rejected between two controls, each for its own user. They are judged before the second
 * control: an issued token stays a violation when that control is lost.
 */
export function sendAttacks(
  { mint, newUser }: CheckContext<'mint'>,
  judge: Judge,
  attacks: readonly Attack[],
  judgeOutcomes: (outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const sendOnce = async ({ name, request }: Attack): Promise<Outcome> => {
    // Redirects within the origin are followed as in a control: a redirect alone is not a rejection.
    const reply = await mint.request({ followRedirects: true, case: `a request with ${name}`, ...request })
    const status = reply.kind === 'answer' ? reply.status : null
    return { name, reply, status, hasMinted: mint.issuedBy(reply) !== null }
  }
  const sendAll = async (): Promise<Outcome[]> => await settle(await Promise.all(attacks.map(sendOnce)))
  /** One after the other: many at once may meet a limit that single ones do not. */
  const settle = async (outcomes: Outcome[]): Promise<Outcome[]> => {
    const undecided = undecidedOf(outcomes)
    const isSame = ({ status, hasMinted }: Outcome) =>
      status !== null && status !== 429 && status === undecided[0]?.status && !hasMinted
    if (undecided.length === 0 || !undecided.every(isSame)) return outcomes
    const names = new Set(undecided.map(({ name }) => name))
    for (let round = 0; round < settling.rounds; round += 1) {
      await mint.token(newUser())
      for (const attack of attacks.filter(({ name }) => names.has(name)).slice(0, settling.requests)) {
        const again = await sendOnce(attack)
        if (!isSame(again)) return outcomes.map((one) => (one.name === again.name ? again : one))
      }
    }
    return outcomes.map((one) => (names.has(one.name) ? { ...one, isSettled: true } : one))
  }
  return judge.sandwich(
    () => mint.token(newUser()),
    async () => judgeOutcomes(await sendAll()),
  )
}

/**
 * The MUST part of every check in which no token may be issued. Requests that met a rate limit, an overload or silence
 * were not rejected and show nothing of their own.
 */
export function judgeNoTokenIssued(judge: Judge, outcomes: readonly Outcome[], { clause, fix }: Rule): void {
  const minted = outcomes.filter(({ hasMinted }) => hasMinted)
  judge.must(minted.length === 0, {
    saw: `a calling token issued for a request with ${listNames(minted.map(({ name }) => name))}`,
    expected: `no token (${clause})`,
    fix,
    evidence: minted.map(({ reply }) => reply.exchange),
  })
  const limited = undecidedOf(outcomes)
  const evidence = limited.map(({ reply }) => reply.exchange)
  const met = `a rate limit, a gateway error or no response, and no rejection, for a request with ${listNames(limited.map(({ name }) => name))}`
  if (limited.length > 0 && limited.length === outcomes.length) judge.lost(met, evidence)
  else if (limited.length > 0) judge.undecided(met, evidence)
}

/**
 * The typical status of clause 7; responses with a token are judged already.
 * @param orElse another remedy, behind a comma
 */
export function judgeTypicalStatus(
  judge: Judge,
  outcomes: readonly Outcome[],
  typical: number,
  orElse = '',
): void {
  const limited = undecidedOf(outcomes)
  const rejected = outcomes.filter((outcome) => !outcome.hasMinted && !limited.includes(outcome))
  const others = rejected.filter(({ status }) => status !== typical)
  judge.typical(others.length === 0, {
    saw: listNames(others.map(({ name, status }) => `${showStatus(status)} for a request with ${name}`)),
    expected: `status ${typical} (7)`,
    fix: `Answer ${typical}${orElse}.`,
    evidence: others.map(({ reply }) => reply.exchange),
  })
}

/** Requests that were neither rejected nor served. Where all of them are answered 429, that is how they are rejected. */
function undecidedOf(outcomes: readonly Outcome[]): Outcome[] {
  if (outcomes.every(({ status }) => status === 429)) return []
  return outcomes.filter(
    ({ hasMinted, status, isSettled }) =>
      isSettled !== true && !hasMinted && (status === null || isOverloadStatus(status)),
  )
}

/** A rate limit, a gateway without its upstream, or an overload: no decision about the request. */
export function isOverloadStatus(status: number): boolean {
  return [429, 502, 503, 504].includes(status)
}

function showStatus(status: number | null): string {
  return status === null ? 'no response' : `status ${status}`
}

function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}
