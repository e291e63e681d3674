import { describeFault, type FaultyExchange, type Journal, type Party } from '../base/evidence/exchange.ts'
import { standstillWindowMs } from '../base/times.ts'
import { worst } from '../base/verdict.ts'
import { overloadedParty, undecidedParty } from './cause.ts'
import { findFaultOfControls } from './controls.ts'
import { addRepeatedDeaths, findDeaths } from './deaths.ts'
import type { AnyCheck } from './define.ts'
import { createJudge, type Finding, isSameFinding, type Judge, type Judgement, type Try } from './judge.ts'
import type { CommonContext, MissingNeed } from './needs.ts'

// A violation whose evidence is whole answers stands. One that rests on absence (a silence, a reset, an overload, a clock) has been
// seen once, and a balancer, a network or a busy machine may have caused it: it counts where it recurs with the case, and ordinary
// requests around the second try are served. What could not be judged is tried once more likewise.

/** Parts of the session that the rule needs. */
export interface RuledSession {
  readonly journal: Pick<Journal, 'faultOf' | 'unavailableIn'>
  readonly secondTries: ReturnType<typeof createSecondTries>
  contextFor(
    check: { readonly id: string; readonly needs: readonly [] },
    judge: Judge,
  ): CommonContext | { readonly missing: MissingNeed }
}

/** A violation that rests on absence. */
interface Suspect {
  readonly finding: Finding
  /** What may have caused it, or was seen, as a clause. */
  readonly met: string
  /** The part that met the fault; null for a client and for a double, which has no node that may be a bad one. */
  readonly party: Party | null
  /** This machine stood still meanwhile, so that a client may have given up: a try in which it kept going counts instead. */
  readonly isBlurred?: true
}

/** Why a check is tried once more. */
interface Doubt {
  readonly suspects: readonly Suspect[]
  /** The part that gave no answer to judge by. */
  readonly silent?: Party
  /** A control of the client was lost, as on a busy machine. */
  readonly isOfClient?: true
  /** Why a pass says nothing, as a clause: the client gave up waiting, and may not have come to what would accuse it. */
  readonly givenUp?: string
}

/** Null where the first try stands. */
export function findDoubt({ role }: Pick<AnyCheck, 'role'>, first: Try, session: RuledSession): Doubt | null {
  if (first.wasKeptByOutage === true) return null
  const { journal, secondTries } = session
  const judgement = first.conclude()
  if (role === 'client' && isJudged(judgement)) secondTries.noteWorkingClient()
  const suspects = findSuspects(first, journal)
  if (suspects.length > 0) return { suspects }
  const hasDied = findDeaths(first.exchanges ?? [], journal).length > 0
  if (hasDied || first.hasMissed?.() === true || first.hasMetBan === true) return { suspects }
  const silent =
    overloadedParty(judgement, journal) ??
    (judgement.verdict === 'untested' ? undecidedParty(first.undecidedIn ?? [], journal) : undefined)
  if (silent !== undefined) return secondTries.maySettle(silent) ? { suspects, silent } : null
  if (role !== 'client') return null
  if (first.hasLostControl === true) return { suspects, isOfClient: true }
  const givenUp = judgement.verdict === 'pass' ? givenUpIn(first, journal) : null
  return givenUp === null ? null : { suspects, givenUp }
}

interface Tries {
  readonly first: Try
  readonly doubt: Doubt
  again(): Promise<Try>
}

/** Judges by both tries. */
export async function judgeAgain(check: AnyCheck, session: RuledSession, tries: Tries): Promise<Judgement> {
  const made: Try[] = [tries.first]
  const again = async () => {
    const second = await tries.again()
    made.push(second)
    return second
  }
  const judgement = await judgeBoth(check, session, { ...tries, again })
  const exchanges = made.flatMap((one) => one.exchanges ?? [])
  return addRepeatedDeaths(check, judgement, findDeaths(exchanges, session.journal))
}

async function judgeBoth(
  check: AnyCheck,
  session: RuledSession,
  { first, doubt, again }: Tries,
): Promise<Judgement> {
  const { journal, secondTries } = session
  const { suspects, silent, isOfClient, givenUp } = doubt
  if (givenUp !== undefined) return judgePass(await again(), givenUp, journal)
  if (isOfClient === true && !secondTries.claim()) return first.conclude()
  if (suspects.length > 0) return await confirm(check, session, { first, suspects, again })
  const isServed = silent === undefined || (await findFaultElsewhere(check, session, [silent])) === null
  const second = isServed ? await again() : first
  const isSilentAgain = second.conclude().verdict === 'error' || (second.undecidedIn ?? []).length > 0
  if (silent !== undefined && isSilentAgain) secondTries.noteSilent(silent)
  if (check.role === 'client' && isJudged(second.conclude())) secondTries.noteWorkingClient()
  return chooseTry(first, second, journal)
}

/** More was lost of a time in which most clients give up, or take an answer for one that does not come. */
const mostLostMs = standstillWindowMs / 2

function findSuspects({ conclude, standstillMs = 0 }: Try, journal: Pick<Journal, 'faultOf'>): Suspect[] {
  return conclude().findings.flatMap((finding): Suspect[] => {
    if (finding.verdict !== 'fail' || finding.seen === undefined || finding.isShown === true) return []
    const fault = findFault(finding.evidence, journal)
    if (fault !== null)
      return [{ finding, met: describeFault(fault), party: fault.from === 'suite' ? fault.to : null }]
    if (standstillMs > mostLostMs)
      return [{ finding, met: describeStandstill(standstillMs), party: null, isBlurred: true }]
    return finding.isAbsence === true ? [{ finding, met: `saw ${finding.seen}`, party: null }] : []
  })
}

/** A fault that a backend met at a double was intended. */
function findFault(evidence: readonly string[], journal: Pick<Journal, 'faultOf'>): FaultyExchange | null {
  const faults = evidence.map((id) => journal.faultOf(id))
  return faults.find((one) => one?.from === 'suite' || one?.from === 'client') ?? null
}

function describeStandstill(lostMs: number): string {
  const [lost, window] = [lostMs, standstillWindowMs].map((ms) => Math.round(ms / 1000))
  return `this machine froze for ${lost} of ${window} s; clients may have given up in that time`
}

/** The fault of a call that the client gave up although its double answered, as a clause; null where it gave up none. */
function givenUpIn({ exchanges = [] }: Try, journal: Pick<Journal, 'faultOf'>): string | null {
  const fault = exchanges.map((id) => journal.faultOf(id)).find((one) => one?.to === 'backend-double') ?? null
  return fault === null ? null : describeFault(fault)
}

/** A client that gave up waiting may not have come to what would accuse it: its second try counts, where it went on. */
function judgePass(second: Try, givenUp: string, journal: Pick<Journal, 'faultOf'>): Judgement {
  const judgement = second.conclude()
  const isWhole = isJudged(judgement) && findSuspects(second, journal).length === 0
  if (isWhole && (judgement.verdict === 'fail' || givenUpIn(second, journal) === null)) return judgement
  const reason = `${givenUp}: judge it on a machine that is less busy`
  return { verdict: 'untested', reason, findings: [], observations: {} }
}

/** The check once more, between controls. What the first try judged by whole answers stays; so does what this one finds. */
async function confirm(
  check: AnyCheck,
  session: RuledSession,
  { first, suspects, again }: { first: Try; suspects: readonly Suspect[]; again(): Promise<Try> },
): Promise<Judgement> {
  const parties = suspects.flatMap(({ party }) => party ?? [])
  const before = await findFaultElsewhere(check, session, parties)
  const second = before === null ? await again() : null
  const elsewhere = before ?? (await findFaultElsewhere(check, session, parties))
  const violations = (second?.conclude().findings ?? []).filter(({ verdict }) => verdict === 'fail')
  const rested = (second === null ? [] : findSuspects(second, session.journal)).map(({ finding }) => finding)
  const sound = violations.filter((finding) => !isAmong(rested, finding))
  const isBlurredAgain = (second?.standstillMs ?? 0) > mostLostMs
  const isClear = second !== null && !isBlurredAgain && rested.length === 0 && isJudged(second.conclude())
  if (isClear && suspects.every(({ isBlurred }) => isBlurred === true)) {
    const doubted = suspects.map(({ finding }) => finding)
    return chooseTry({ conclude: () => withoutFindings(first.conclude(), doubted) }, second, session.journal)
  }

  const judgement = first.conclude((finding) => {
    const suspect = suspects.find((one) => one.finding.message === finding.message)
    if (suspect === undefined || isAmong(sound, finding)) return null
    const { met } = suspect
    if (elsewhere !== null) return `${met}, and an ordinary request failed as well: ${elsewhere}`
    if (!isAmong(rested, finding)) return `${met}, but not on a retry`
    return isBlurredAgain ? `${met}, in each of two tries: judge it on a machine that is less busy` : null
  })
  // A try without a fault says more of the same violation.
  const said = suspects.map(({ finding }) => finding).filter((finding) => isAmong(sound, finding))
  const kept = withoutFindings(judgement, said).findings
  const added = sound.filter((finding) => !isAmong(kept, finding))
  if (added.length === 0) return judgement
  return { ...judgement, verdict: 'fail', findings: [...kept, ...added] }
}

/** The second try where it rests on whole answers, with what the first had found before it lost its control; else the first. */
export function chooseTry(
  first: Pick<Try, 'conclude'>,
  second: Try,
  journal: Pick<Journal, 'faultOf'>,
): Judgement {
  const [before, judgement] = [first.conclude(), second.conclude()]
  if (judgement.verdict === 'error' || findSuspects(second, journal).length > 0) return before
  const kept = before.findings.filter(
    (finding) =>
      (finding.verdict === 'fail' || finding.verdict === 'warn') && !isAmong(judgement.findings, finding),
  )
  if (kept.length === 0) return judgement
  const verdict = worst([judgement.verdict, ...kept.map((finding) => finding.verdict)], 'info')
  return { ...judgement, verdict, findings: [...judgement.findings, ...kept] }
}

/** Sends ordinary requests to these parts; the fault that one met, as a clause, or null where each was served. */
async function findFaultElsewhere(
  check: AnyCheck,
  session: RuledSession,
  parties: readonly Party[],
): Promise<string | null> {
  const parts = session.contextFor({ id: check.id, needs: [] }, createJudge('INFO'))
  return 'missing' in parts
    ? parts.missing.reason
    : await findFaultOfControls(parts, session.journal, new Set(parties))
}

/** Says whether the check judged anything. A check that was left out may not have opened the client. */
function isJudged({ verdict }: Judgement): boolean {
  return verdict !== 'error' && verdict !== 'untested' && verdict !== 'not-applicable'
}

function withoutFindings(judgement: Judgement, left: readonly Finding[]): Judgement {
  return { ...judgement, findings: judgement.findings.filter((finding) => !isAmong(left, finding)) }
}

function isAmong(findings: readonly Finding[], finding: Finding): boolean {
  return findings.some((one) => isSameFinding(one, finding))
}

const mostSecondTries = 3
const mostSilentAgain = 2

/** Counts second tries and their outcomes, so that a part that is down does not cost one for each check. */
export function createSecondTries() {
  let claimed = 0
  let isClientWorking = false
  const silent: Party[] = []
  return {
    /** A check of the client has kept its controls: one that loses them may have met a busy machine. */
    noteWorkingClient(): void {
      isClientWorking = true
    },
    /** Says whether one more check may be tried again because its control was lost: one, until the client is known to work. */
    claim(): boolean {
      // Where no check has shown that the client works, one second try finds out.
      if (claimed === (isClientWorking ? mostSecondTries : 1)) return false
      claimed += 1
      return true
    },
    /** A check that a silent part has kept from a judgement met the same once more: the part is down, and not slow. */
    noteSilent: (part: Party) => void silent.push(part),
    /** Says whether such a check is worth a second try. A part that is down would cost each of them its deadlines. */
    maySettle: (part: Party) => silent.filter((one) => one === part).length < mostSilentAgain,
  }
}
