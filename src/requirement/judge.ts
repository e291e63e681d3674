import type { Halt } from '../base/inconclusive.ts'
import type { Level, Verdict } from '../base/verdict.ts'
import { verdictOfBreach, worst } from '../base/verdict.ts'
import type { AbsentPart } from '../configuration/configuration.ts'

/** A statement about the implementation; `evidence` are ids of recorded exchanges. */
interface Statement {
  readonly level: Level
  readonly verdict: Verdict
  readonly message: string
  readonly evidence: readonly string[]
}

interface Marks {
  /** Names it among the breaches of a requirement that ask for the same change: "the key in a cookie". */
  readonly case?: string | undefined
  /** The requirement whose code makes the change, where it is another one. */
  readonly fixedAs?: string | undefined
  /** The evidence holds the breach itself, such as a secret: it stands, whatever fault its exchanges met. */
  readonly isShown?: true | undefined
  /** Something did not come in time: it counts where it does not come once more. */
  readonly isAbsence?: true | undefined
}

/** A breach in its parts; `message` is the sentence that they make. */
export interface BreachFinding extends Statement, Marks {
  readonly seen: string
  readonly expected: string
  /** Change to make in the implementation, as a sentence. */
  readonly advice: string
}

/** `seen` is absent where nothing was expected: an error, a pass with its evidence, or a file of an earlier version. */
export type Finding = BreachFinding | (Statement & { readonly seen?: undefined })

export interface Observed extends Marks {
  /** Completes "saw …". */
  readonly saw: string
  /** Completes "expected …", with the clause that asks for it. */
  readonly expected: string
  /** Change to make in the implementation, as a sentence. */
  readonly fix: string
  readonly evidence?: readonly string[] | undefined
}

/** The one place that makes the sentence of a breach. */
export function describeBreach(
  { level, verdict }: Pick<Finding, 'level' | 'verdict'>,
  { case: name, saw: seen, expected, fix: advice, fixedAs, evidence = [], isShown, isAbsence }: Observed,
): BreachFinding {
  const message = `saw ${seen}; expected ${expected}. ${advice}`
  const marks = { case: name, fixedAs, isShown, isAbsence }
  return { level, verdict, message, seen, expected, advice, evidence, ...marks }
}

/** Says whether two tries of a check found the same: numbers and made-up ids differ in what was seen. */
export function isSameFinding(one: Finding, other: Finding): boolean {
  if (one.seen === undefined || other.seen === undefined) return one.message === other.message
  return (
    one.level === other.level &&
    one.expected === other.expected &&
    one.advice === other.advice &&
    one.case === other.case
  )
}

/** Collects the parts of one verdict; the verdict is the worst of them. */
export interface Judge {
  /** A part that must pass; a breach accuses the implementation. Returns whether it passed. */
  must(holds: boolean, observed: Observed): boolean
  should(holds: boolean, observed: Observed): boolean
  typical(holds: boolean, observed: Observed): boolean
  advisory(holds: boolean, observed: Observed): boolean
  /** A part that was judged by other means, and passed. */
  passed(): void
  /** Records what the specification leaves open. A dotted name is also listed among the run's observations. */
  observe(name: string, value: unknown): void
  /** One part could not be judged; the others still count. */
  untested(reason: string): void
  /** The same for a part whose request met no response, a gateway error or an overload: it is tried once more. */
  undecided(reason: string, evidence: readonly string[]): void
  /** The same for a part at which the check could not look in time: it is tried once more. */
  missed(reason: string): void
  /** One part was lost to a network, a rate limit or a part that is down; the others still count. */
  lost(reason: string, evidence?: readonly string[]): void
  /** One part does not apply, since the implementation declares it as `absent`, which the report repeats. */
  notApplicable(reason: string, absent?: AbsentPart): void
  /** The requirement can only be recorded, not judged: a verdict that would be `pass` becomes `info`. */
  onlyObserved(reason: string): void
  /** Tells the reader what the verdict does not show; it stays as it is. */
  remark(reason: string): void
  /** Says whether parts were judged, and each of them passed. */
  holdsSoFar(): boolean
  /**
   * Runs attacks between two controls. A refusal counts only if both controls were accepted: a lost control makes
   * the verdict `error`, whatever the attacks showed, unless one of them was a violation. Warnings are dropped then: a ban of
   * everyone has its own status.
   */
  sandwich(control: () => Promise<unknown>, attacks: () => Promise<void>): Promise<void>
}

export interface Judgement {
  readonly verdict: Verdict
  readonly reason: string | null
  /** Reasons that no finding states; absent where there are none. */
  readonly remarks?: readonly string[] | undefined
  readonly findings: readonly Finding[]
  readonly observations: Readonly<Record<string, unknown>>
  /** The suite itself failed. */
  readonly defect?: true | undefined
  /** The part that the operator declared as not there, so that the requirement does not apply. */
  readonly absent?: AbsentPart | undefined
  /** How far the client came where an error rests on that. */
  readonly halt?: Halt | undefined
}

export interface RunningJudge extends Judge {
  /** The suite itself failed, and no part of the implementation. */
  failed(reason: string): void
  /** The exchanges that have decided nothing. */
  readonly undecidedIn: readonly string[]
  hasMissed(): boolean
  /** The machine lost so much of the time in which what is judged was recorded. */
  noteStandstill(lostMs: number): void
  readonly standstillMs: number
  /** `excuse` gives the reason to turn a breach into an error; null keeps the breach. */
  conclude(excuse?: (breach: Finding) => string | null): Judgement
}

export interface Try extends Pick<RunningJudge, 'conclude'> {
  /** True where a control of the check went wrong, so that it ended early. */
  readonly hasLostControl?: boolean
  /** It was not begun: a part is down that was asked again and again. */
  readonly wasKeptByOutage?: true
  /** Exchanges that were recorded meanwhile, in their order. */
  readonly exchanges?: readonly string[]
  /** A ban of every client ended meanwhile, which may have rejected its attacks. */
  readonly hasMetBan?: boolean
  /** The exchanges that have decided nothing. */
  readonly undecidedIn?: readonly string[]
  /** A look came too late. */
  hasMissed?(): boolean
  /** The most that this machine lost of the time in which a client gives up; measured for clients. */
  readonly standstillMs?: number
}

/** One part of a verdict: a breach with its finding, or something that was left out with its reason. */
interface Part {
  readonly verdict: Verdict
  readonly finding?: Finding
  readonly reason?: string
  readonly isDefect?: true
  readonly absent?: AbsentPart | undefined
}

export function createJudge(level: Level): RunningJudge {
  const observations: Record<string, unknown> = {}
  const parts: Part[] = []
  const remarks: string[] = []
  const undecidedIn: string[] = []
  let hasMissed = false
  let standstillMs = 0
  let observedOnly = level === 'INFO'

  const part = (partLevel: Level) => (holds: boolean, observed: Observed) => {
    if (holds) {
      parts.push({ verdict: 'pass' })
      return true
    }
    const verdict = verdictOfBreach(partLevel)
    parts.push({ verdict, finding: describeBreach({ level: partLevel, verdict }, observed) })
    return false
  }
  const lost = (reason: string, evidence: readonly string[]): Part =>
    evidence.length === 0
      ? { verdict: 'error', reason }
      : { verdict: 'error', reason, finding: { level, verdict: 'error', message: reason, evidence } }

  const judge: RunningJudge = {
    must: part('MUST'),
    should: part('SHOULD'),
    typical: part('TYPICAL'),
    advisory: part('ADVISORY'),
    passed: () => void parts.push({ verdict: 'pass' }),
    observe(name, value) {
      observations[name] = value
    },
    untested: (reason) => void parts.push({ verdict: 'untested', reason }),
    undecided(reason, evidence) {
      judge.untested(reason)
      undecidedIn.push(...evidence)
    },
    undecidedIn,
    missed(reason) {
      judge.untested(reason)
      hasMissed = true
    },
    hasMissed: () => hasMissed,
    noteStandstill(lostMs) {
      standstillMs = lostMs
    },
    get standstillMs() {
      return standstillMs
    },
    lost: (reason, evidence = []) => void parts.push(lost(reason, evidence)),
    notApplicable: (reason, absent) => void parts.push({ verdict: 'not-applicable', reason, absent }),
    remark: (reason) => void remarks.push(reason),
    onlyObserved(reason) {
      observedOnly = true
      remarks.push(reason)
    },
    holdsSoFar: () => parts.length > 0 && parts.every(({ verdict }) => verdict === 'pass'),
    async sandwich(control, attacks) {
      await control()
      const before = parts.length
      await attacks()
      try {
        await control()
      } catch (error) {
        const shown = parts.splice(before).filter(({ verdict }) => verdict !== 'warn')
        parts.push(...shown)
        throw error
      }
    },
    failed(reason) {
      parts.push({ verdict: 'error', reason, isDefect: true })
    },
    conclude(excuse = () => null) {
      const settled = parts.map((one) => {
        const excused = one.finding?.verdict === 'fail' ? excuse(one.finding) : null
        return excused === null ? one : lost(excused, one.finding?.evidence ?? [])
      })
      const verdicts = settled.map(({ verdict }) => verdict)
      const least: Verdict =
        verdicts.every((verdict) => verdict === 'not-applicable') && verdicts.length > 0
          ? 'not-applicable'
          : 'info'
      const judged = worst(verdicts, least)
      const nothingJudged = verdicts.length === 0 && !observedOnly
      const verdict = nothingJudged ? 'error' : judged === 'pass' && observedOnly ? 'info' : judged
      const reasons = new Set([...settled.flatMap(({ reason }) => reason ?? []), ...remarks])
      const findings = distinct(settled.flatMap(({ finding }) => finding ?? []))
      const beside = settled.flatMap(({ reason, finding }) => (finding === undefined ? (reason ?? []) : []))
      const unstated = [...new Set([...beside, ...remarks])]
      return {
        verdict,
        reason: nothingJudged
          ? 'the check made no assertion'
          : reasons.size === 0
            ? null
            : [...reasons].join('; '),
        remarks: unstated.length === 0 ? undefined : unstated,
        findings,
        observations,
        absent: verdict === 'not-applicable' ? settled.find(({ absent }) => absent)?.absent : undefined,
        defect: nothingJudged || settled.some(({ isDefect }) => isDefect === true) ? true : undefined,
      }
    },
  }
  return judge
}

/** The reasons that no finding states. Without a list of them, an error among the findings states the whole reason. */
export function remarksOf({ reason, remarks, findings }: Judgement): readonly string[] {
  if (remarks !== undefined) return remarks
  return reason === null || findings.some(({ verdict }) => verdict === 'error') ? [] : [reason]
}

/** Adds a reason that no finding states. */
export function withReason(judgement: Judgement, added: string): Pick<Judgement, 'reason' | 'remarks'> {
  return {
    reason: judgement.reason === null ? added : `${judgement.reason}; ${added}`,
    remarks: [...remarksOf(judgement), added],
  }
}

/** Removes duplicate findings. */
function distinct(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ message, verdict }, place) =>
      findings.findIndex((one) => one.message === message && one.verdict === verdict) === place,
  )
}

export function changeFinding(finding: Finding, change: (text: string) => string): Finding {
  const message = change(finding.message)
  if (finding.seen === undefined) return { ...finding, message }
  return {
    ...finding,
    message,
    seen: change(finding.seen),
    expected: change(finding.expected),
    advice: change(finding.advice),
    case: finding.case === undefined ? undefined : change(finding.case),
  }
}
