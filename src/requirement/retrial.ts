import type { Company } from '../base/company.ts'
import { describeFault, type FaultyExchange, type Journal, type Party } from '../base/evidence/exchange.ts'
import { worst } from '../base/verdict.ts'
import { findFaultOfControls } from './controls.ts'
import type { AnyCheck } from './define.ts'
import { createJudge, type Finding, isSameFinding, type Judge, type Judgement, type Try } from './judge.ts'
import type { CommonContext, MissingNeed } from './needs.ts'

// A peer that does not answer, breaks off, or is overloaded has broken nothing by that alone: a balancer, a network or a
// busy machine may have. A violation that rests on it is tried once more; it counts only where the fault follows the case.

/** Parts of the session that a retrial needs. */
export interface RetrialSession {
  readonly journal: Pick<Journal, 'faultOf'>
  contextFor(
    check: { readonly id: string; readonly needs: readonly [] },
    judge: Judge,
  ): CommonContext | { readonly missing: MissingNeed }
}

/** A violation whose evidence includes a transport fault that may explain it. */
export interface Suspect {
  readonly finding: Finding
  readonly fault: FaultyExchange
}

export function findSuspects(findings: readonly Finding[], journal: Pick<Journal, 'faultOf'>): Suspect[] {
  return findings.flatMap((finding) => {
    if (finding.verdict !== 'fail' || (finding.seen !== undefined && finding.isShown === true)) return []
    // A fault that a backend met at a double was intended.
    const faults = finding.evidence
      .map((id) => journal.faultOf(id))
      .filter((one) => one?.from === 'suite' || one?.from === 'client')
    const [fault] = faults
    return fault == null ? [] : [{ finding, fault }]
  })
}

export interface Retrial {
  readonly first: Try
  readonly suspects: readonly Suspect[]
  again(): Promise<Try>
}

/** The check once more, between controls. What the first try judged without a fault stays; so does what this one finds. */
export async function retryCheck(
  check: AnyCheck,
  session: RetrialSession,
  { first, suspects, again }: Retrial,
): Promise<Judgement> {
  // A double has no node that may be a bad one.
  const peers = new Set(suspects.filter(({ fault }) => fault.from === 'suite').map(({ fault }) => fault.to))
  const controlled = () => findFaultElsewhere(check, session, peers)
  const before = await controlled()
  const second = before === null ? (await again()).conclude().findings : []
  const elsewhere = before ?? (await controlled())
  const violations = second.filter(({ verdict }) => verdict === 'fail')
  const rested = findSuspects(violations, session.journal).map(({ finding }) => finding)
  const sound = violations.filter((finding) => !rested.includes(finding))

  const judgement = first.conclude((finding) => {
    const suspect = suspects.find((one) => one.finding.message === finding.message)
    if (suspect === undefined || isAmong(sound, finding)) return null
    const met = describeFault(suspect.fault)
    if (elsewhere !== null) return `${met}, and an ordinary request failed as well: ${elsewhere}`
    return isAmong(rested, finding) ? null : `${met}, but not on a retry`
  })
  // A try without a fault says more of the same violation.
  const kept = judgement.findings.filter(
    (finding) =>
      !(
        isAmong(
          suspects.map((one) => one.finding),
          finding,
        ) && isAmong(sound, finding)
      ),
  )
  const added = sound.filter((finding) => !isAmong(kept, finding))
  if (added.length === 0) return judgement
  return { ...judgement, verdict: 'fail', findings: [...kept, ...added] }
}

/**
 * The second try where it came to a verdict that rests on no fault, with what the first had found before it lost its control;
 * else the first.
 */
export function chooseTry(
  first: Pick<Try, 'conclude'>,
  second: Pick<Try, 'conclude'>,
  journal: Pick<Journal, 'faultOf'>,
): Judgement {
  const [before, judgement] = [first.conclude(), second.conclude()]
  if (judgement.verdict === 'error' || findSuspects(judgement.findings, journal).length > 0) return before
  const kept = before.findings.filter(
    (finding) =>
      (finding.verdict === 'fail' || finding.verdict === 'warn') && !isAmong(judgement.findings, finding),
  )
  if (kept.length === 0) return judgement
  const verdict = worst([judgement.verdict, ...kept.map((finding) => finding.verdict)], 'info')
  return { ...judgement, verdict, findings: [...judgement.findings, ...kept] }
}

interface SilenceRetrial extends Pick<Retrial, 'first'> {
  readonly silent: Party
  /** @param isSlow the part may need more time; false where one of its nodes answers nothing, however long it is waited for */
  again(isSlow: boolean): Promise<Try>
}

/**
 * The check once more, alone, where a silent part has kept it from a judgement: a machine or a service that is busy with
 * all of them at once serves one. Only ordinary requests are sent to a part that is silent to those as well.
 */
export async function retryAfterSilence(
  check: AnyCheck,
  session: RetrialSession & { readonly retrials: RetrialQueue },
  { first, silent, again }: SilenceRetrial,
): Promise<Judgement> {
  const { retrials, journal } = session
  const wasAlone = retrials.company() === 'never'
  if (wasAlone || !retrials.mayBeSlow(silent)) return first.conclude()
  const isServing = (await findFaultElsewhere(check, session, new Set([silent]))) === null
  const second = isServing ? await again(!hasDeadNode(check, session, silent)) : first
  const isStillSilent = second.conclude().verdict === 'error' || (second.undecidedIn ?? []).length > 0
  if (isStillSilent) retrials.noteSilentAlone(silent)
  return chooseTry(first, second, journal)
}

function hasDeadNode(check: AnyCheck, session: RetrialSession, part: Party): boolean {
  const parts = session.contextFor({ id: check.id, needs: [] }, createJudge('INFO'))
  return (
    part === 'backend' && !('missing' in parts) && parts.available('backend')?.wait.isOftenSilent() === true
  )
}

/**
 * Sends ordinary requests to these peers. Resolves to the fault that one met, as a clause; null where each
 * was served.
 */
async function findFaultElsewhere(
  check: AnyCheck,
  session: RetrialSession,
  peers: ReadonlySet<Party>,
): Promise<string | null> {
  const parts = session.contextFor({ id: check.id, needs: [] }, createJudge('INFO'))
  return 'missing' in parts ? parts.missing.reason : await findFaultOfControls(parts, session.journal, peers)
}

function isAmong(findings: readonly Finding[], finding: Finding): boolean {
  return findings.some((one) => isSameFinding(one, finding))
}

interface Turn {
  readonly needsBackend: boolean
}

/** Where in a run a check has its place; what comes later waits for those before. */
export type Place = 'usual' | 'straining' | 'last' | 'rotating'

/** Lets what strains a part, and what is tried once more, wait for the others. */
export interface RetrialQueue {
  /** The first try, beside others. */
  runFirst<T>(run: () => Promise<T>, turn?: Turn): Promise<T>
  /** The first try of what may leave the backend without answers: after those that need it, beside its like. */
  runStraining<T>(run: () => Promise<T>): Promise<T>
  /** Keeps what ends a run waiting until this check is settled, with what it is tried once more for. */
  keepOpen<T>(run: () => Promise<T>, place: Place): Promise<T>
  /**
   * Runs what changes the implementation for good, such as its signing key: when all else is settled, one after the other.
   * A check without a need for the backend runs also beside those that strain it.
   */
  runLast<T>(run: () => Promise<T>, turn?: Turn): Promise<T>
  /** Runs what keeps fresh tokens from joining for a while: when those of `runLast` are settled as well. */
  runRotating<T>(run: () => Promise<T>): Promise<T>
  /** Runs when no first try is under way, one after the other; what needs no backend also beside what strains it. */
  runAlone<T>(run: () => Promise<T>, turn?: Turn): Promise<T>
  /** Which other checks may have caused what a check meets. */
  company(): Company
  /** A check of the client has kept its controls: one that loses them may have met a busy machine. */
  noteWorkingClient(): void
  /** Says whether one more check may be tried again because its control was lost: one, until the client is known to work. */
  claimSecondTry(): boolean
  /** A check that a silent part has kept from a judgement met the same once more, alone: the part is down, and not slow. */
  noteSilentAlone(part: Party): void
  /** Says whether such a check is worth a second try. A part that is down would cost each of them its deadlines. */
  mayBeSlow(part: Party): boolean
}

const mostSecondTries = 3
const mostSilentAlone = 2
const usual: Turn = { needsBackend: true }

export function createRetrialQueue(): RetrialQueue {
  const withBackend = createCounter()
  const withoutBackend = createCounter()
  const straining = createCounter()
  let secondTries = 0
  let isClientWorking = false
  const silentAlone: Party[] = []
  const open = {
    usual: createCounter(),
    straining: createCounter(),
    last: createCounter(),
    rotating: createCounter(),
  } satisfies Record<Place, unknown>
  let last: Promise<unknown> = Promise.resolve()
  let ending: Promise<unknown> = Promise.resolve()
  const queue: RetrialQueue = {
    keepOpen: (run, place) => open[place].count(run),
    runLast(run, turn = usual) {
      const mine = ending.then(async () => {
        await open.usual.untilNone()
        if (turn.needsBackend) await open.straining.untilNone()
        return await queue.runAlone(run, turn)
      })
      ending = mine.catch(() => undefined)
      return mine
    },
    async runRotating(run) {
      await open.last.untilNone()
      return await queue.runLast(run)
    },
    runFirst: (run, { needsBackend } = usual) => (needsBackend ? withBackend : withoutBackend).count(run),
    runStraining: (run) =>
      straining.count(async () => {
        await withBackend.untilNone()
        return await run()
      }),
    runAlone(run, { needsBackend } = usual) {
      const mine = last.then(async () => {
        await withBackend.untilNone()
        await withoutBackend.untilNone()
        if (needsBackend) await straining.untilNone()
        return await run()
      })
      last = mine.catch(() => undefined)
      return mine
    },
    company() {
      const counters = [withBackend, withoutBackend, straining]
      if (sum(counters.map(({ begun }) => begun())) <= 1) return 'never'
      return sum(counters.map(({ underWay }) => underWay())) > 0 ? 'now' : 'before'
    },
    noteWorkingClient() {
      isClientWorking = true
    },
    claimSecondTry() {
      // Where no check has shown that the client works, one second try finds out.
      if (secondTries === (isClientWorking ? mostSecondTries : 1)) return false
      secondTries += 1
      return true
    },
    noteSilentAlone: (part) => void silentAlone.push(part),
    mayBeSlow: (part) => silentAlone.filter((one) => one === part).length < mostSilentAlone,
  }
  return queue
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0)
}

/** Counts what is under way. */
function createCounter() {
  let begun = 0
  let underWay = 0
  let whenNone = Promise.withResolvers<void>()
  return {
    begun: () => begun,
    underWay: () => underWay,
    async count<T>(run: () => Promise<T>): Promise<T> {
      if (underWay === 0) whenNone = Promise.withResolvers()
      begun += 1
      underWay += 1
      try {
        return await run()
      } finally {
        underWay -= 1
        if (underWay === 0) whenNone.resolve()
      }
    },
    async untilNone(): Promise<void> {
      while (underWay > 0) await whenNone.promise
    },
  }
}
