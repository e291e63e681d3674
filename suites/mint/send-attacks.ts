import type { Reply } from '../../src/base/http/client.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'

/** A request that must not mint; its name completes "a request with …". */
export interface Attack {
  readonly name: string
  readonly request: MintRequest
}

/** What became of an attack. */
export interface Outcome {
  readonly name: string
  readonly reply: Reply
  /** The answer's status, or `null` where there was none. */
  readonly status: number | null
  readonly hasMinted: boolean
}

/**
 * Sends requests that must not mint between two ordinary ones, each for a user of its own. They are judged before
 * the second control: a token that was issued stays a violation when that is lost.
 */
export function sendAttacks(
  { mint, newUser }: PartsOf<'mint'>,
  judge: Judge,
  attacks: readonly Attack[],
  judgeOutcomes: (outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const send = async ({ name, request }: Attack): Promise<Outcome> => {
    // Followed within the origin like a control: a redirect on its own is no refusal.
    const reply = await mint.request({ followRedirects: true, ...request })
    const status = reply.kind === 'answer' ? reply.status : null
    return { name, reply, status, hasMinted: mint.issuedBy(reply) !== null }
  }
  return judge.sandwich(
    () => mint.token(newUser()),
    async () => judgeOutcomes(await Promise.all(attacks.map(send))),
  )
}

/**
 * The part that is a MUST wherever no token may be issued. Where a limit on the rate set in while others were
 * answered as such, those behind it were refused for another reason than their own.
 */
export function judgeNoTokenIssued(judge: Judge, outcomes: readonly Outcome[]): void {
  const minted = outcomes.filter(({ hasMinted }) => hasMinted)
  judge.must(minted.length === 0, {
    saw: `a token issued to a request with ${listed(minted.map(({ name }) => name))}`,
    expected: 'no token',
    evidence: minted.map(({ reply }) => reply.exchange),
  })
  const limited = limitedOf(outcomes)
  if (limited.length > 0)
    judge.untested(`a limit on the rate (429) set in before ${listed(limited.map(({ name }) => name))}`)
}

/** The status that clause 7 calls typical; answers that held a token are judged already. */
export function judgeTypicalStatus(judge: Judge, outcomes: readonly Outcome[], typical: number): void {
  const limited = typical === 429 ? [] : limitedOf(outcomes)
  const refused = outcomes.filter((outcome) => !outcome.hasMinted && !limited.includes(outcome))
  const others = refused.filter(({ status }) => status !== typical)
  judge.typical(others.length === 0, {
    saw: listed(others.map(({ name, status }) => `${shownStatus(status)} for a request with ${name}`)),
    expected: `the status ${typical}`,
    evidence: others.map(({ reply }) => reply.exchange),
  })
}

function limitedOf(outcomes: readonly Outcome[]): Outcome[] {
  const limited = outcomes.filter(({ status }) => status === 429)
  return limited.length === outcomes.length ? [] : limited
}

function shownStatus(status: number | null): string {
  return status === null ? 'no answer' : `the status ${status}`
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}
