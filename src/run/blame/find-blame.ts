import type { Registered } from '../../base/evidence/redact.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import type { TestableCertificate } from '../../base/tls/certificates.ts'
import { loadSigningKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { type Blame, type BlameTry, type ReplaceablePart, replaceableParts } from '../../requirement/blame.ts'
import type { AnyCheck } from '../../requirement/define.ts'
import type { CommonContext, Need } from '../../requirement/needs.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { conclude, isBroken, isHealed } from './conclude.ts'
import { acceptsOrdinaryToken, type JudgedAgain, judgeAgain } from './judge-again.ts'
import { findObstacle } from './obstacles.ts'
import { startReplaced } from './start-replaced.ts'
import type { Surroundings } from './surroundings.ts'
import { takeTokenSample } from './token-sample.ts'
import { loadVerifyingKeys } from './trust-like.ts'

export interface BlameOptions {
  readonly wait: boolean
  readonly seed?: number
  /** In hexadecimal: a secret has the same fingerprint as in the run. */
  readonly fingerprintKey: string
  readonly doubleCertificate?: TestableCertificate
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Completes "judging again: …". */
  readonly onProgress: (what: string) => void
}

/** Whose fault each violation is, by requirement, and the secrets that were met. */
export interface BlameRun {
  readonly blames: ReadonlyMap<string, Blame>
  readonly secrets: readonly Registered[]
}

/** One session's verdicts, and whether signaling accepted an ordinary token in it. */
type Judged = JudgedAgain<{ readonly accepted: boolean | null }>

/** One violated requirement with its table so far. */
interface Case {
  readonly check: AnyCheck
  readonly concerned: readonly ReplaceablePart[]
  readonly tries: BlameTry[]
}

/**
 * Judges violated requirements again with the reference as none of the parts that each rests on, as one of them and, where
 * that heals nothing, as all and as two. To be called after the run, since the mint double can listen only once at a time. A requirement
 * that rests on one part gets no blame.
 */
export async function findBlame(
  violated: readonly AnyCheck[],
  configuration: Configuration,
  options: BlameOptions,
): Promise<BlameRun> {
  const blames = new Map<string, Blame>()
  const secrets: Registered[] = []
  const cases = violated
    .map((check): Case => ({ check, concerned: concernedParts(check, configuration), tries: [] }))
    .filter(({ concerned }) => concerned.length > 1)
  const open = cases.filter(({ check }) => {
    const reason = reasonNotToRepeat(check)
    if (reason === null) return true
    const sentence = `It is not judged again: ${reason}.`
    blames.set(check.id, { conclusion: 'unknown', parts: [], sentence, tries: [] })
    return false
  })
  if (open.length === 0) return { blames, secrets }

  options.onProgress('everything as configured')
  const asConfigured = await judgeAgain(checksOf(open), configuration, options, learn)
  const learned = 'learned' in asConfigured ? asConfigured.learned : null
  const note = (some: readonly Case[], replaced: readonly ReplaceablePart[], judged: Judged) => {
    if ('secrets' in judged) secrets.push(...judged.secrets)
    for (const one of some) one.tries.push(tryOf(one, replaced, judged))
  }
  note(open, [], asConfigured)
  if (learned !== null) {
    const surroundings = await surroundingsOf(configuration, learned, options)
    for (const replaced of combinations) {
      const possible = open.filter(
        (one) => isWanted(one, replaced) && isPossible(one, replaced, surroundings),
      )
      if (possible.length === 0) continue
      if (options.signal.aborted) return { blames, secrets }
      options.onProgress(`the reference as ${replaced.join(' and ')}`)
      note(possible, replaced, await judgeReplaced(possible, replaced, surroundings, options))
    }
  }
  for (const { check, concerned, tries } of open)
    blames.set(check.id, conclude(tries, { concerned, acceptsTokens: learned?.accepted ?? null }))
  return { blames, secrets }
}

/** Each part, then all: what fails with nothing but references is judged no further. */
const combinations: readonly (readonly ReplaceablePart[])[] = [
  ['mint'],
  ['backend'],
  ['signaling'],
  ['mint', 'backend', 'signaling'],
  ['mint', 'backend'],
  ['mint', 'signaling'],
  ['backend', 'signaling'],
]

function isWanted({ concerned, tries }: Case, replaced: readonly ReplaceablePart[]): boolean {
  if (!replaced.every((part) => concerned.includes(part))) return false
  const [again] = tries
  if (again === undefined || !isBroken(again)) return false
  if (replaced.length === 1) return true
  const singles = tries.filter((one) => one.replaced.length === 1)
  const all = tries.find((one) => one.replaced.length === concerned.length)
  return !singles.some(isHealed) && (all === undefined || isHealed(all))
}

/** Says whether the reference can replace these parts; the table says why not. */
function isPossible(
  { concerned, tries }: Case,
  replaced: readonly ReplaceablePart[],
  { configuration, sample }: Surroundings,
): boolean {
  const obstacle = findObstacle(replaced, concerned, configuration, sample)
  if (obstacle !== null) tries.push({ replaced, verdict: null, detail: `not possible: ${obstacle}` })
  return obstacle === null
}

async function surroundingsOf(
  configuration: Configuration,
  { sample, keys }: Awaited<ReturnType<typeof learn>>,
  { doubleCertificate }: BlameOptions,
): Promise<Surroundings> {
  const { signWith } = configuration.token
  return {
    configuration,
    sample,
    keys,
    signWith: signWith === undefined ? null : await loadSigningKey(signWith),
    doubleCertificate,
  }
}

async function learn(parts: CommonContext) {
  const sample = await takeTokenSample(parts)
  const keys = await loadVerifyingKeys(parts.configuration.token, parts.http).catch((error: unknown) => {
    if (error instanceof ControlLost) return []
    throw error
  })
  return { sample, keys, accepted: await acceptsOrdinaryToken(parts) }
}

async function judgeReplaced(
  cases: readonly Case[],
  replaced: readonly ReplaceablePart[],
  surroundings: Surroundings,
  options: BlameOptions,
): Promise<Judged> {
  await using stack = await startReplaced(replaced, surroundings)
  const { doubleCertificate: _, ...others } = options
  const { doubleCertificate } = stack
  const session = { ...others, doubleCertificate }
  return await judgeAgain(checksOf(cases), stack.configuration, session, async (parts) => ({
    accepted: await acceptsOrdinaryToken(parts),
  }))
}

function checksOf(cases: readonly Case[]): AnyCheck[] {
  return cases.map(({ check }) => check)
}

function tryOf({ check, concerned }: Case, replaced: readonly ReplaceablePart[], judged: Judged): BlameTry {
  if ('failure' in judged) return { replaced, verdict: null, detail: `not judged: ${judged.failure}` }
  const result = judged.results.find(({ id }) => id === check.id)
  if (result === undefined) return { replaced, verdict: null, detail: 'not judged' }
  const { verdict } = result
  const meetsForeignTokens =
    replaced.includes('mint') && !replaced.includes('signaling') && concerned.includes('signaling')
  // Signaling that accepts none of the reference's tokens says nothing about the mint that it replaced.
  if (verdict === 'fail' && meetsForeignTokens && judged.learned.accepted === false)
    return { replaced, verdict: null, detail: 'not possible: signaling accepts no token of the reference' }
  return { replaced, verdict, detail: detailOf(result) }
}

/** Text for a reader to compare: the violation, or the reason why there is none. */
function detailOf({ verdict, findings, reason }: CheckResult): string | null {
  if (verdict === 'pass' || verdict === 'info') return null
  return findings.find((finding) => finding.verdict === verdict)?.message ?? reason
}

/** The configured parts that the verdict of a requirement rests on. Doubles and artefacts are no such parts. */
function concernedParts(
  { role }: Pick<AnyCheck, 'role'>,
  configuration: Pick<Configuration, ReplaceablePart>,
): ReplaceablePart[] {
  const isConfigured = (part: ReplaceablePart) => configuration[part] !== undefined
  const source = isConfigured('mint') ? 'mint' : 'backend'
  const met: Readonly<Partial<Record<AnyCheck['role'], readonly ReplaceablePart[]>>> = {
    flow: replaceableParts,
    backend: ['mint', 'backend'],
    // Its tokens come from the mint where there is one, else through the backend.
    signaling: [source, 'signaling'],
  }
  return (met[role] ?? []).filter(isConfigured)
}

const lasting: readonly Need[] = ['signOutHook', 'revokeKeyHook', 'suspendProjectHook', 'rotateKeysHook']

/** Why a requirement is not judged again; null where it can be. */
function reasonNotToRepeat({ needs }: Pick<AnyCheck, 'needs'>): string | null {
  if (needs.some((need) => lasting.includes(need))) return 'its hook changes the implementation for good'
  return needs.includes('logs') ? 'each finding names its log' : null
}
