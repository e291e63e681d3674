import type { ResultRedactor } from '../base/evidence/redact-exchange.ts'
import { redactValues } from '../base/evidence/redact-values.ts'
import type { Finding, Judgement } from './judge.ts'
import type { ShownStory } from './shown-story.ts'

/**
 * A judgement without secrets. Verdicts, levels, ids and names of observations are the suite's own words: a secret that is the
 * same word is none of them.
 */
export function redactJudgement<J extends Judgement>(
  judgement: J,
  { sentence, printed }: Pick<ResultRedactor, 'sentence' | 'printed'>,
): J {
  const { reason, remarks, absent, findings, observations } = judgement
  return {
    ...judgement,
    reason: reason === null ? null : sentence(reason),
    remarks: remarks?.map(sentence),
    absent: absent && { ...absent, reason: sentence(absent.reason) },
    findings: findings.map((finding) => redactFinding(finding, sentence)),
    observations: Object.fromEntries(
      Object.entries(observations).map(([name, value]) => [
        name,
        redactValues(value, { value: sentence, name: printed }),
      ]),
    ),
  }
}

/** Redacts each text of a finding. */
export function redactFinding(finding: Finding, redact: (text: string) => string): Finding {
  const message = redact(finding.message)
  if (finding.seen === undefined) return { ...finding, message }
  return {
    ...finding,
    message,
    seen: redact(finding.seen),
    expected: redact(finding.expected),
    advice: redact(finding.advice),
    case: finding.case === undefined ? undefined : redact(finding.case),
  }
}

/** A judgement with what a result has besides. */
interface Shown extends Judgement {
  readonly title: string
  readonly story?: ShownStory | undefined
}

/** The same for a result that is about to be written. */
export function redactCheck<C extends Shown>(check: C, redactor: ResultRedactor): C {
  const { title, story } = check
  return {
    ...redactJudgement(check, redactor),
    title: redactor.printed(title),
    story: story && redactStory(story, redactor),
  }
}

function redactStory(story: ShownStory, { sentence, printed }: ResultRedactor): ShownStory {
  return {
    ...story,
    opening: sentence(story.opening),
    told: story.told.map((step) => ({ ...step, did: sentence(step.did), came: step.came.map(sentence) })),
    steps: redactValues(story.steps, { value: printed }),
  }
}
