import type { Level, Verdict } from '../base/verdict.ts'
import { verdictOfBreach, worst } from '../base/verdict.ts'

/** `message` says what happened, what the specification asks and what to change; `evidence` are ids of recorded exchanges. */
export interface Finding {
  readonly level: Level
  readonly verdict: Verdict
  readonly message: string
  readonly evidence: readonly string[]
}

/** A breach as a message: "saw …; expected …", then what to change. */
export interface Observed {
  /** Completes "saw …". */
  readonly saw: string
  /** Completes "expected …", with the clause that asks for it. */
  readonly expected: string
  /** Change to make in the implementation, as a sentence. */
  readonly fix: string
  readonly evidence?: readonly string[]
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
  /** One part was lost to a network, a rate limit or a part that is down; the others still count. */
  lost(reason: string, evidence?: readonly string[]): void
  /** One part does not apply, since the implementation declares that it has none. */
  notApplicable(reason: string): void
  /** The requirement can only be recorded, not judged: a verdict that would be `pass` becomes `info`. */
  onlyObserved(reason: string): void
  /** Says whether parts were judged, and each of them passed. */
  holdsSoFar(): boolean
  /**
   * Runs attacks between two controls. A refusal counts only if both controls were accepted: a lost control makes
   * the verdict `error`, whatever the attacks showed, unless one of them was a violation.
   */
  sandwich(control: () => Promise<unknown>, attacks: () => Promise<void>): Promise<void>
}

export interface Judgement {
  readonly verdict: Verdict
  readonly reason: string | null
  readonly findings: readonly Finding[]
  readonly observations: Readonly<Record<string, unknown>>
  /** The suite itself failed. */
  readonly defect?: true
}

export interface RunningJudge extends Judge {
  /** The suite itself failed, and no part of the implementation. */
  failed(reason: string): void
  /** `excuse` gives the reason to turn a breach into an error; null keeps the breach. */
  conclude(excuse?: (breach: Finding) => string | null): Judgement
}

/** One try of a check, ready to conclude. */
export interface Try extends Pick<RunningJudge, 'conclude'> {
  /** True where a control of the check went wrong, so that it ended early. */
  readonly hasLostControl?: boolean
  /** Nothing was served, and other checks that ran beside it may be the cause. */
  readonly wasNeverServed?: boolean
}

/** One part of a verdict: a breach with its finding, or something that was left out with its reason. */
interface Part {
  readonly verdict: Verdict
  readonly finding?: Finding
  readonly reason?: string
  readonly isDefect?: true
}

export function createJudge(level: Level): RunningJudge {
  const observations: Record<string, unknown> = {}
  const parts: Part[] = []
  const remarks: string[] = []
  let observedOnly = level === 'INFO'

  const part = (partLevel: Level) => (holds: boolean, observed: Observed) => {
    if (holds) {
      parts.push({ verdict: 'pass' })
      return true
    }
    const verdict = verdictOfBreach(partLevel)
    const message = messageOf(observed)
    parts.push({
      verdict,
      finding: { level: partLevel, verdict, message, evidence: observed.evidence ?? [] },
    })
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
    lost: (reason, evidence = []) => void parts.push(lost(reason, evidence)),
    notApplicable: (reason) => void parts.push({ verdict: 'not-applicable', reason }),
    onlyObserved(reason) {
      observedOnly = true
      remarks.push(reason)
    },
    holdsSoFar: () => parts.length > 0 && parts.every(({ verdict }) => verdict === 'pass'),
    async sandwich(control, attacks) {
      await control()
      await attacks()
      await control()
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
      return {
        verdict,
        reason: nothingJudged
          ? 'the check made no assertion'
          : reasons.size === 0
            ? null
            : [...reasons].join('; '),
        findings: distinct(settled.flatMap(({ finding }) => finding ?? [])),
        observations,
        ...(nothingJudged || settled.some(({ isDefect }) => isDefect === true) ? { defect: true } : {}),
      }
    },
  }
  return judge
}

function messageOf({ saw, expected, fix }: Observed): string {
  return `saw ${saw}; expected ${expected}. ${fix}`
}

/** Removes duplicate findings. */
function distinct(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ message, verdict }, place) =>
      findings.findIndex((one) => one.message === message && one.verdict === verdict) === place,
  )
}
