import { type Forgery, madeUp, type Original, takenApart } from '../../src/base/tokens/forge.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CallingTokens } from '../../src/roles/backend/calling-tokens.ts'
import type { Attempt } from '../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../src/roles/signaling/driver.ts'

/** A credential that signaling must reject, and the declared user. */
export interface Attack {
  /** A noun: "a token with an empty signature", "no credential". */
  readonly what: string
  readonly token: string | null
  /** Undefined: no user is declared. */
  readonly userId: string | undefined
}

/** The clause that asks for the rejection, and the sentence that says what to change. */
export interface Rule {
  readonly clause: string
  readonly fix: string
}

/** So many at a time: a service that rejects by silence costs its whole timeout for each. */
const atOnce = 12
const atOnceAgain = 6
const namedAtMost = 6

/** Tries every attack; all must be rejected. Attacks that could not be sent, or never reached the service, are reported. */
export async function mustReject(
  attacks: readonly Attack[],
  signaling: Signaling,
  judge: Judge,
  { clause, fix }: Rule,
): Promise<void> {
  const tried = await tryAll(attacks, signaling)
  for (const { attack, made } of tried) {
    if (made.outcome === 'untestable') judge.untested(`${attack.what} could not be sent: ${made.reason}`)
    if (made.outcome === 'refused' && made.unreachable)
      judge.lost(`signaling ${made.summary} when offered ${attack.what}`, [made.exchange])
  }
  const judged = tried.filter(({ made }) => made.outcome !== 'untestable')
  const accepted = judged.filter(({ made }) => made.outcome === 'accepted')
  if (judged.length === 0) return
  const names = accepted.slice(0, namedAtMost).map(({ attack }) => attack.what)
  if (accepted.length > names.length) names.push(`${accepted.length - names.length} more`)
  judge.must(accepted.length === 0, {
    saw: `${accepted.length} of ${judged.length} attempts accepted: ${names.join('; ')}`,
    expected: `every one of them rejected (${clause})`,
    fix,
    evidence: (accepted.length > 0 ? accepted : judged)
      .slice(0, namedAtMost)
      .map(({ made }) => made.exchange),
  })
}

export interface Tried {
  readonly attack: Attack
  readonly made: Attempt
}

/**
 * Where some are rejected and others meet silence, the service may only have been busy: those are tried once more, fewer at
 * a time. A service that rejects by silence alone is not made to do so twice.
 */
export async function tryAll(attacks: readonly Attack[], signaling: Signaling): Promise<Tried[]> {
  const tried = await inBatches(attacks, atOnce, signaling)
  const unanswered = tried.filter(({ made }) => endedInSilence(made)).map(({ attack }) => attack)
  if (unanswered.length === 0 || unanswered.length === tried.length) return tried
  const again = await inBatches(unanswered, atOnceAgain, signaling)
  return [...tried.filter(({ made }) => !endedInSilence(made)), ...again]
}

async function inBatches(attacks: readonly Attack[], size: number, signaling: Signaling): Promise<Tried[]> {
  const tried: Tried[] = []
  for (let start = 0; start < attacks.length; start += size) {
    const batch = attacks.slice(start, start + size).map(async (attack) => {
      const declared = attack.userId === undefined ? {} : { declaredUser: attack.userId }
      const made = await signaling.attempt({ token: attack.token, ...declared })
      return { attack, made }
    })
    tried.push(...(await Promise.all(batch)))
  }
  return tried
}

function endedInSilence(made: Attempt): boolean {
  return made.outcome === 'refused' && made.events.at(-1)?.type === 'timeout'
}

export function toAttacks(forgeries: readonly Forgery[], of = 'a token'): Attack[] {
  return forgeries.map(({ name, token, userId }) => ({ what: `${of} ${name}`, token, userId }))
}

/** A fresh calling token and the JWS from which forgeries are made: a made-up one where the token cannot be parsed. */
export interface Specimen {
  readonly jwt: string
  readonly original: Original
  readonly readable: boolean
}

/** A token that the service has not seen. */
export async function fetchUnseen(tokens: CallingTokens): Promise<Specimen> {
  const { jwt, userId } = await tokens.fresh()
  const original = takenApart(jwt, userId)
  const now = Math.floor(Date.now() / 1000)
  return { jwt, original: original ?? madeUp(userId, now), readable: original !== null }
}

/** A token that the service has just accepted: a cached verdict is part of the attack. */
export async function fetchAccepted(tokens: CallingTokens, signaling: Signaling): Promise<Specimen> {
  const specimen = await fetchUnseen(tokens)
  await signaling.accepted({ jwt: specimen.jwt, userId: specimen.original.userId })
  return specimen
}

/** One specimen that the service has accepted and one that it has never seen, with names for their forgeries. */
export async function fetchSpecimens(
  tokens: CallingTokens,
  signaling: Signaling,
): Promise<readonly (Specimen & { readonly name: string })[]> {
  const [known, unknown] = await Promise.all([fetchAccepted(tokens, signaling), fetchUnseen(tokens)])
  return [
    { ...known, name: 'an accepted token' },
    { ...unknown, name: 'an unused token' },
  ]
}
