import { createMask, type Mask } from '../base/evidence/mask/mask.ts'
import { maskExchange } from '../base/evidence/mask/mask-exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import { redactValues } from '../base/evidence/redact-values.ts'
import type { SecretKind } from '../base/evidence/secret-label.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { configuredNames } from '../configuration/configured-names.ts'
import { userSecrets } from '../configuration/register-secrets.ts'
import { redactFinding } from '../requirement/redact-check.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { RunResults } from './results.ts'

export interface MaskingOptions {
  readonly configuration: Configuration
  readonly redactor: Redactor
  readonly fingerprintKey: string
}

const kinds: readonly SecretKind[] = ['api-key', 'session', 'secret', 'calling-jwt']

/** The mask of a run: it knows the names of the configuration, and those that the suite has sent. */
export function maskOf(
  sent: ReadonlySet<string>,
  { configuration, redactor, fingerprintKey }: MaskingOptions,
): Mask {
  return createMask({
    fingerprintKey,
    names: new Set([...configuredNames(configuration, redactor), ...sent]),
    secrets: [
      // A JWT is made of no words.
      ...kinds.flatMap(redactor.known).filter((secret) => secret.split('.').length < 3),
      // Those that are too short for the redactor.
      ...userSecrets(configuration),
    ],
  })
}

/** Results in which peers say what is known to be harmless, and lengths and fingerprints in place of the rest. */
export function maskResults(judged: RunResults, mask: Mask): RunResults {
  const { checks, outages, observations, exchanges, parts } = judged
  return {
    ...judged,
    checks: checks.map((check) => maskCheck(check, mask)),
    outages: outages?.map((outage) => ({ ...outage, cause: mask.sentence(outage.cause) })),
    observations: maskValues(observations, mask),
    exchanges: exchanges.map((exchange) => maskExchange(exchange, mask)),
    parts: parts?.map((part) => ({ ...part, state: mask.sentence(part.state) })),
  }
}

export function maskCheck(check: CheckResult, mask: Mask): CheckResult {
  const { sentence } = mask
  const { reason, remarks, absent, findings, observations, story } = check
  return {
    ...check,
    reason: reason === null ? null : sentence(reason),
    remarks: remarks?.map(sentence),
    absent: absent && { ...absent, reason: sentence(absent.reason) },
    findings: findings.map((finding) => redactFinding(finding, sentence)),
    observations: maskValues(observations, mask),
    story: story && {
      ...story,
      told: story.told.map((step) => ({ ...step, came: step.came.map(sentence) })),
    },
  }
}

/** The names of observations are the suite's own, and what is in them may be of a peer. */
function maskValues(values: CheckResult['observations'], { text }: Mask): CheckResult['observations'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      redactValues(value, { value: (one) => text(one), name: (one) => text(one) }),
    ]),
  )
}
