import { BanOver, ClientHalted, ControlLost, type Halt, Untested } from '../base/inconclusive.ts'
import { whileJudging } from '../base/judging.ts'
import { watchForStandstills } from '../base/standstill.ts'
import { worst } from '../base/verdict.ts'
import { noteReading } from '../base/watchdog.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { type Cause, causeOf } from './cause.ts'
import { askOrdinary, type ControlFault } from './controls.ts'
import { type AnyCheck, type Heading, headingOf, type Role } from './define.ts'
import { createJudge, type Judgement, type Try } from './judge.ts'
import { compareTurns, type Held, type Lane, mayStopParts, type Turn } from './lanes.ts'
import type { CommonContext } from './needs.ts'
import { findDoubt, judgeAgain } from './rule.ts'
import type { Session } from './session.ts'
import type { ShownStory } from './shown-story.ts'
import { findStop, judgeStops } from './stops.ts'

/** In the order in which checks have their turns. */
export function sortByTurn<C extends Pick<AnyCheck, 'role' | 'stage' | 'drives'>>(checks: readonly C[]): C[] {
  return checks.toSorted((one, other) => compareTurns(ownTurnOf(one), ownTurnOf(other)))
}

function ownTurnOf({ role, stage, drives }: Pick<AnyCheck, 'role' | 'stage' | 'drives'>): Turn {
  return { stage: stage ?? 'ordinary', lanes: drives ?? lanesOfRole[role] }
}

/** Where there is no mint, tokens for the checks of other parts come through the backend. */
function turnOf(check: AnyCheck, { mint }: Configuration): Turn {
  const { stage, lanes } = ownTurnOf(check)
  const isThroughBackend = mint === undefined && check.needs.includes('callingTokens')
  return { stage, lanes: isThroughBackend ? [...new Set<Lane>([...lanes, 'backend'])] : lanes }
}

const lanesOfRole: Readonly<Record<Role, readonly Lane[]>> = {
  mint: ['mint'],
  backend: ['backend'],
  signaling: ['signaling'],
  flow: ['backend', 'signaling'],
  client: ['client'],
  bundle: [],
}

export interface CheckResult extends Judgement, Omit<Heading, 'why'> {
  /** Consequence for users where the requirement is violated; absent for a contract. */
  readonly why?: string
  /** Of its tries, without the wait for its turn. */
  readonly durationMs: number
  /** A known failure that the operator has declared: it does not count against the outcome. */
  readonly waived?: true
  /** It rests on a profile that was detected and is not confirmed. */
  readonly detected?: true | undefined
  /** The part that was down, or banned the suite, where that is why the requirement could not be judged. */
  readonly cause?: Cause | undefined
  /** The story that broke it, where it was found by exploration. */
  readonly story?: ShownStory | undefined
}

/** The result of a requirement that was not judged. */
export function unjudged(
  requirement: Heading,
  why: Pick<CheckResult, 'verdict' | 'reason' | 'absent' | 'defect'>,
): CheckResult {
  return { ...headingOf(requirement), durationMs: 0, findings: [], observations: {}, ...why }
}

/** As many exchanges as a reader may want to look at. */
const shownEvidence = 50

/** Runs one check when its turn has come, and once more where the rule asks for it. Never throws: an error is a verdict. */
export async function runCheck(check: AnyCheck, session: Session): Promise<CheckResult> {
  const { clock } = session
  let spentMs = 0
  const timed = async <T>(run: () => Promise<T>): Promise<T> => {
    const startedAt = clock.monotonic()
    session.onTurn(check.id, true)
    const done = await run()
    session.onTurn(check.id, false)
    spentMs += clock.monotonic() - startedAt
    return done
  }
  using seat = session.lanes.seat(turnOf(check, session.configuration))
  const first = await seat.take(async (held) => {
    const mayBeDown = session.outages.isNoted(partsOf(check, session.configuration))
    if (mayBeDown && mayStopParts(check.stage)) await restart(session)
    return await timed(() => tryOnce(check, session, held))
  })
  const outage = causeOf(first.conclude(), session.journal)
  if (outage !== undefined) session.outages.note(outage.part)
  const stop = mayStopParts(check.stage) ? findStop(first, session.journal) : null
  const doubt = findDoubt(check, first, session)
  const again = () => tryOnce(check, session)
  const judgeOnceMore = async (): Promise<Judgement> => {
    if (stop !== null && (await restart(session))) {
      const second = await again()
      return judgeStops(check, second.conclude(), { first: stop, second: findStop(second, session.journal) })
    }
    return doubt === null ? first.conclude() : await judgeAgain(check, session, { first, doubt, again })
  }
  const isSettled = stop === null && doubt === null
  const judgement = isSettled ? first.conclude() : await seat.takeAgain(() => timed(judgeOnceMore))
  const cause = causeOf(judgement, session.journal)
  if (outage !== undefined && cause === undefined) session.outages.noteServing(outage.part)
  return {
    ...headingOf(check),
    ...judgement,
    cause,
    durationMs: Math.round(spentMs),
  }
}

/** Starts the parts again where the suite has started them; resolves with whether they serve again. */
async function restart({ restart: startAgain, outages }: Session): Promise<boolean> {
  const isServing = await startAgain()
  if (isServing) outages.forget()
  return isServing
}

/** The fault that an ordinary request meets at a part that is down; null where all serve, or a positive check may say why not. */
async function findOutage(
  check: AnyCheck,
  { configuration, journal, outages }: Session,
  parts: CommonContext,
): Promise<ControlFault | null> {
  const concerned = partsOf(check, configuration)
  return check.kind === 'positive'
    ? outages.faultOf(concerned.filter((part) => hasServed(part, parts)))
    : await outages.findFault(concerned, (part) => askOrdinary(part, parts, journal))
}

/** The parts that a check drives, and the mint where it takes its tokens from there. */
function partsOf(check: AnyCheck, configuration: Configuration): Cause['part'][] {
  const isMinted = check.needs.includes('callingTokens') && configuration.mint !== undefined
  const lanes = new Set([...(isMinted ? (['mint'] as const) : []), ...turnOf(check, configuration).lanes])
  return [...lanes].filter((lane) => lane !== 'client')
}

function hasServed(part: Cause['part'], { available }: CommonContext): boolean {
  const backend = available('backend')
  if (part === 'backend') return backend?.hasServed(backend.alice) === true
  return available(part)?.hasServed() === true
}

async function tryOnce(check: AnyCheck, session: Session, held?: Held): Promise<Try> {
  const judge = createJudge(check.level)
  const parts = session.contextFor(check, judge, held)
  if ('missing' in parts) {
    const { missing } = parts
    return { conclude: () => ({ ...missing, findings: [], observations: {} }) }
  }
  // A second try asks for itself.
  const fault = held === undefined ? null : await findOutage(check, session, parts)
  if (fault !== null) {
    judge.lost(`control failed: ${fault.met}`, fault.evidence)
    return { conclude: judge.conclude, wasKeptByOutage: true }
  }
  let hasLostControl = false
  let hasMetBan = false
  let halt: Halt | undefined
  const probe = async () => {
    try {
      noteReading('nothing of a peer yet')
      await check.run(parts as never, judge)
    } catch (error) {
      if (error instanceof Untested) judge.untested(error.message)
      else if (error instanceof ControlLost) {
        hasLostControl = true
        hasMetBan = error instanceof BanOver
        if (error instanceof ClientHalted) halt = error.halt
        judge.lost(`control failed: ${error.message}`, error.evidence)
      } else judge.failed(`internal error: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  using standstills = check.role === 'client' ? watchForStandstills() : null
  const [exchanges, tokens]: [string[], { isDenied: boolean }] = [[], { isDenied: false }]
  await whileJudging({ name: check.id, exchanges, tokens }, probe)
  if (tokens.isDenied)
    return {
      conclude: () =>
        cutShort(judge.conclude(), 'the calling tokens of --max-mints ran out before it finished'),
    }
  return {
    hasLostControl,
    hasMetBan,
    exchanges,
    undecidedIn: judge.undecidedIn,
    hasMissed: judge.hasMissed,
    standstillMs: Math.max(standstills?.worst() ?? 0, judge.standstillMs),
    conclude: (excuse) => ({ ...withEvidence(judge.conclude(excuse), check.level, exchanges), halt }),
  }
}

/** A check that was denied something on its way is not finished; what it had found by then stays. */
export function cutShort(
  { findings, observations }: Pick<Judgement, 'findings' | 'observations'>,
  reason: string,
): Judgement {
  const found = findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const verdict = worst(
    found.map((finding) => finding.verdict),
    'untested',
  )
  const remarks = found.length === 0 ? undefined : [reason]
  return { verdict, reason, remarks, findings: found, observations }
}

/** A verdict that found nothing wrong rests on evidence, too: on all that was exchanged for it. */
function withEvidence(
  judgement: Judgement,
  level: AnyCheck['level'],
  evidence: readonly string[],
): Judgement {
  const { verdict, findings } = judgement
  if ((verdict !== 'pass' && verdict !== 'info') || findings.length > 0 || evidence.length === 0)
    return judgement
  const message = `${verdict === 'pass' ? 'passed' : 'recorded'} in ${evidence.length} exchange${evidence.length === 1 ? '' : 's'}`
  return { ...judgement, findings: [{ level, verdict, message, evidence: evidence.slice(0, shownEvidence) }] }
}
