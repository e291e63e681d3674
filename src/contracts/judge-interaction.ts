import { faultOfStatus } from '../base/evidence/transport-fault.ts'
import { findSecret } from '../base/find-secret/find-secret.ts'
import type { Answer, NoAnswer } from '../base/http/client.ts'
import { readToken, tokensIn } from '../base/tokens/decode.ts'
import { createJudge, type Observed } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { Interaction } from './interaction.ts'
import type { CoreResult, Mismatch } from './pact-core.ts'
import type { StateOutcome } from './provider-states.ts'
import type { Seen } from './relay.ts'

export interface Verified extends Attempted {
  readonly interaction: Interaction
  readonly role: 'mint' | 'backend'
  /** Says whether a token may be one of this provider's: a page may hold others. */
  isAlike(token: string): boolean
  readonly keys: readonly string[]
  readonly durationMs: number
}

/** Turns the report of the core and the recorded exchanges into one verdict. A result without an exchange is an error. */
export function judgeInteraction(verified: Verified): CheckResult {
  const { interaction, role, durationMs } = verified
  const judge = createJudge(interaction.level === 'INFO' ? 'MUST' : interaction.level)
  judge.observe('consumer', interaction.pact.consumer)
  judge.observe('requirements', interaction.requirements)
  judgeParts(verified, judge)
  return {
    id: interaction.id,
    title: interaction.source.description,
    role,
    level: interaction.level,
    clauses: interaction.clauses,
    ...judge.conclude(),
    durationMs: Math.round(durationMs),
  }
}

type Judge = ReturnType<typeof createJudge>

function judgeParts(verified: Verified, judge: Judge): void {
  const { seen, result } = verified
  const unprepared = findUnprepared(verified)
  const reply = seen.replies.at(-1)
  const fault = faultIn(verified)
  if (unprepared?.kind === 'broken') judge.lost(unprepared.reason)
  else if (unprepared?.kind === 'impossible') judge.untested(unprepared.reason)
  else if (result === undefined) judge.failed('the Pact verifier returned no result for it')
  else if (reply === undefined) judge.failed('its request never reached the provider')
  else if (fault !== null && !verified.faultReturned) judge.lost(`the provider ${fault}`, [reply.exchange])
  else if (reply.kind === 'no-answer') judgeSilence(reply, judge)
  else {
    judgeLeak(verified, reply, judge)
    judgeToken(verified, reply, judge)
    judgeAnswer(verified, result, reply, judge)
  }
}

/** The first state that was not set up, or not with every value that the request is made with. */
function findUnprepared({ interaction, seen }: Verified): Exclude<StateOutcome, { kind: 'ready' }> | null {
  const { states, replies } = seen
  for (const kind of ['broken', 'impossible'] as const)
    for (const state of states) if (state.kind === kind) return state
  if (replies.length === 0) return null
  const given = new Set(states.flatMap((state) => (state.kind === 'ready' ? Object.keys(state.values) : [])))
  const missing = interaction.injected.filter((name) => !given.has(name))
  if (missing.length === 0) return null
  return { kind: 'impossible', reason: `its provider state returned no ${missing.join(' and no ')}` }
}

function judgeSilence({ failure, message, exchange }: NoAnswer, judge: Judge): void {
  if (['refused', 'name', 'tls'].includes(failure)) judge.lost(`the provider ${message}`, [exchange])
  else
    judge.must(false, {
      saw: `a provider that ${message}`,
      expected: 'an answer',
      fix: 'Answer every request, also a malformed one.',
      evidence: [exchange],
    })
}

/** A mint that echoes the key in a refusal shows it only to its sender, so that is a warning. */
function judgeLeak({ role, keys }: Verified, answer: Answer, judge: Judge): void {
  const part = role === 'mint' && !isSuccess(answer) ? judge.advisory : judge.must
  for (const place of findKeys(answer, keys))
    part(false, {
      saw: `an API key in ${place} of the answer`,
      expected: 'an answer without any key',
      fix: isSuccess(answer)
        ? 'Leave the key out of the answer.'
        : 'Answer with an error of your own that quotes nothing of the request.',
      evidence: [answer.exchange],
    })
}

/** Judges what no matcher can express: a refusal contains no token, and a string that looks like a JWT is one. */
function judgeToken({ interaction, result, isAlike }: Verified, answer: Answer, judge: Judge): void {
  if (!interaction.own || result?.ok !== true) return
  const evidence = [answer.exchange]
  if (interaction.status >= 400)
    judge.must(newTokens(answer, isAlike).length === 0, {
      saw: `status ${answer.status} with a token`,
      expected: 'a rejection without any token',
      fix: 'Return no token in an error.',
      evidence,
    })
  else
    judge.must(tokensIn(answer.body).length > 0, {
      saw: 'a string in the form of a JWT whose header is not a JSON object',
      expected: 'a JWT',
      fix: 'Return the compact JWT itself.',
      evidence,
    })
}

function judgeAnswer(
  { interaction, seen, isAlike }: Verified,
  { ok, mismatches, error }: CoreResult,
  answer: Answer,
  judge: Judge,
): void {
  const vouched = seen.states.every((state) => state.kind === 'ready' && state.vouched)
  const unmet = findUnmet(seen)
  if (ok) judge.passed()
  else if (unmet !== null) judge.untested(unmet)
  else if (isRefusedLifetime(interaction, answer))
    judge.untested('it rejects the lifetime in the contract, and limits on lifetimes are not specified')
  else if (mismatches.length === 0) {
    const why = `the Pact verifier could not compare the answer: ${error ?? 'no reason given'}`
    judge.lost(why, [answer.exchange])
  } else if (!vouched && isSuccess(answer)) {
    const why = 'precondition not met: the key is not in this state; if it is, set attested: true'
    judge.lost(why, [answer.exchange])
  } else {
    const part = partFor(interaction, newTokens(answer, isAlike).length === 0, answer, judge)
    for (const mismatch of mismatches) part(false, describeMismatch(mismatch, answer))
  }
}

/** Only for a lifetime out of range: any other refusal of an ordinary request is a violation. */
function isRefusedLifetime({ own, requirements, status }: Interaction, answer: Answer): boolean {
  return own && requirements.includes('MINT-10') && status < 300 && [400, 422].includes(answer.status)
}

function findUnmet({ states }: Seen): string | null {
  const reasons = states.map((state) => (state.kind === 'ready' ? (state.unmet?.() ?? null) : null))
  return reasons.find((reason) => reason !== null) ?? null
}

/** Where the contract expects a refusal and the provider did refuse, how it did so is as binding as its requirement. */
function partFor(interaction: Interaction, hasNoToken: boolean, answer: Answer, judge: Judge): Judge['must'] {
  const refused = interaction.status >= 400 && answer.status >= 300 && hasNoToken
  if (!refused) return judge.must
  const { must, should, typical, advisory } = judge
  if (interaction.level !== 'INFO')
    return { MUST: must, SHOULD: should, TYPICAL: typical, ADVISORY: advisory }[interaction.level]
  return (_, { saw }) => {
    judge.observe('refusal', saw)
    judge.onlyObserved(`it rejects with ${saw}`)
    return true
  }
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** Tokens in the answer that were not in the request: an echo issues nothing. */
function newTokens({ body, sent }: Answer, isAlike: Verified['isAlike']): string[] {
  return tokensIn(body).filter((token) => !sent.includes(token) && isAlike(token))
}

function describeMismatch(
  { part, at, expected, actual, text }: Mismatch,
  { exchange, status }: Answer,
): Observed {
  const evidence = [exchange]
  if (part === 'status')
    return {
      saw: `status ${actual || status}`,
      expected: `status ${expected}`,
      fix: `Answer with status ${expected}.`,
      evidence,
    }
  const place =
    part === 'header' ? `the header ${at}` : part === 'body' ? `the body at ${at || '$'}` : 'the answer'
  return {
    saw: `${place}: ${text || actual}`,
    expected: `what the pact says: ${expected}`,
    fix: 'Answer as the contract says; `twotoken verify` shows the whole interaction.',
    evidence,
  }
}

/** The places of an answer that contain a server key, plain or encoded: Pact allows extra fields and ignores them. */
function findKeys(answer: Answer, keys: readonly string[]): string[] {
  const tokens = tokensIn(answer.body)
  const claims = tokens.map((token) => JSON.stringify(readToken(token)?.claims ?? {})).join('\n')
  // The rest of the body is no token, so that any encoded match in it is a key.
  const body = tokens.reduce((text, token) => text.replaceAll(token, ''), answer.body)
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const places = { 'a header': headers, 'the body': body, 'a claim of the token': claims }
  return Object.entries(places)
    .filter(([, text]) => keyShape.test(text) || keys.some((key) => findSecret(text, key) !== null))
    .map(([place]) => place)
}

const keyShape = /ac_live_[A-Za-z0-9_-]{8,}/i

export interface Attempted {
  readonly seen: Seen
  /** `undefined` where the core reported nothing. */
  readonly result: CoreResult | undefined
  /** True where a transport fault came back in a second attempt, while another interaction was answered. */
  readonly faultReturned: boolean
}

export type Attempt = ReadonlyMap<Interaction, Omit<Attempted, 'faultReturned'>>

export const notAttempted: Attempted = {
  seen: { states: [], replies: [] },
  result: undefined,
  faultReturned: false,
}

/** Attempts all, and once more those with a transport fault beside one without: only a fault that comes back then counts. */
export async function retryFaults(
  interactions: readonly Interaction[],
  attempt: (interactions: readonly Interaction[]) => Promise<Attempt>,
): Promise<ReadonlyMap<Interaction, Attempted>> {
  const first = await attempt(interactions)
  const faulty = interactions.filter(
    (interaction) => faultIn(first.get(interaction) ?? notAttempted) !== null,
  )
  const control = interactions.find((interaction) => first.get(interaction)?.result?.ok === true)
  const second =
    faulty.length === 0 ? first : await attempt(control === undefined ? faulty : [...faulty, control])
  const isAnswered = control !== undefined && second.get(control)?.result?.ok === true
  return new Map(
    interactions.map((interaction) => {
      const isRetried = faulty.includes(interaction)
      const last = (isRetried ? second : first).get(interaction) ?? notAttempted
      return [interaction, { ...last, faultReturned: isRetried && isAnswered && faultIn(last) !== null }]
    }),
  )
}

/** Names the fault that kept the provider from answering the last request, as a clause; null where there is none. */
function faultIn({ seen, result }: Pick<Attempted, 'seen' | 'result'>): string | null {
  const reply = seen.replies.at(-1)
  if (reply === undefined || result?.ok === true) return null
  return reply.kind === 'no-answer' ? reply.message : faultOfStatus(reply.status)
}
