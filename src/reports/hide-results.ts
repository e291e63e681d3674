import { createHider, type Hider } from '../base/evidence/hide.ts'
import { hideExchange } from '../base/evidence/hide-exchange.ts'
import { hideValues } from '../base/evidence/hide-values.ts'
import type { Secrets } from '../base/evidence/secrets.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { configuredNames } from '../configuration/register-secrets.ts'
import { changeFinding } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { RunResults } from './results.ts'

/** Hides for a run: it knows the names of the configuration, and those that the suite has sent. */
export function hiderOf(
  sent: ReadonlySet<string>,
  {
    configuration,
    secrets,
    fingerprintKey,
  }: { configuration: Configuration; secrets: Secrets; fingerprintKey: string },
): Hider {
  const names = new Set([...configuredNames(configuration, secrets), ...sent])
  return createHider({ secrets, fingerprintKey, names })
}

/** Hides the texts that results quote; their keys, verdicts, ids and times are the suite's own, whatever a peer says. */
export function hideResults(judged: RunResults, hider: Hider): RunResults {
  const { target, config, checks, outages, observations, exchanges, parts, artefacts } = judged
  const { own, sentence } = hider
  return {
    ...judged,
    target: own(target),
    config: config === undefined ? undefined : own(config),
    checks: checks.map((check) => hideCheck(check, hider)),
    outages: outages?.map((outage) => ({ ...outage, cause: sentence(outage.cause) })),
    observations: hideObservations(observations, hider),
    exchanges: exchanges.map((exchange) => hideExchange(exchange, hider)),
    parts: parts?.map((part) => ({
      ...part,
      image: part.image === undefined ? undefined : own(part.image),
      state: sentence(part.state),
    })),
    artefacts: artefacts?.map((one) => ({ ...one, title: own(one.title) })),
  }
}

export function hideCheck(check: CheckResult, hider: Hider): CheckResult {
  const { own, sentence } = hider
  const { title, reason, remarks, absent, cause, findings, observations, story } = check
  return {
    ...check,
    title: own(title),
    reason: reason === null ? null : sentence(reason),
    remarks: remarks?.map(sentence),
    absent: absent && { ...absent, reason: sentence(absent.reason) },
    cause: cause?.during === undefined ? cause : { ...cause, during: sentence(cause.during) },
    findings: findings.map((finding) => changeFinding(finding, sentence)),
    observations: hideObservations(observations, hider),
    story: story && {
      ...story,
      opening: own(story.opening),
      told: story.told.map((step) => ({ ...step, did: own(step.did), came: step.came.map(sentence) })),
      steps: hideValues(story.steps, own),
    },
  }
}

/** The names of observations are the suite's own, and what is in them may be of a peer. */
function hideObservations(values: CheckResult['observations'], { text }: Hider): CheckResult['observations'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, hideValues(value, (one) => text(one))]),
  )
}
