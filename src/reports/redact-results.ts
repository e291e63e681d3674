import { type ResultRedactor, redactExchange, rememberTexts } from '../base/evidence/redact-exchange.ts'
import { listChanged, redactValues } from '../base/evidence/redact-values.ts'
import { redactCheck } from '../requirement/redact-check.ts'
import type { RunResults } from './results.ts'

export interface RedactedResults {
  readonly results: RunResults
  readonly places: readonly string[]
}

/**
 * Redacts the texts that results quote. Their keys, verdicts, ids and times are the suite's own structure, in which nothing
 * is redacted: a peer that issues the token "summary" would make them unreadable.
 */
export function redactResults(judged: RunResults, redactor: ResultRedactor): RedactedResults {
  const remembering = rememberTexts(redactor)
  const { sentence, printed } = remembering
  const { target, config, checks, outages, observations, exchanges, parts, artefacts } = judged
  const results: RunResults = {
    ...judged,
    target: printed(target),
    config: config === undefined ? undefined : printed(config),
    checks: checks.map((check) => redactCheck(check, remembering)),
    outages: outages?.map((outage) => ({ ...outage, cause: sentence(outage.cause) })),
    observations: Object.fromEntries(
      Object.entries(observations).map(([name, value]) => [
        name,
        redactValues(value, { value: sentence, name: printed }),
      ]),
    ),
    exchanges: exchanges.map((exchange) => redactExchange(exchange, remembering)),
    parts: parts?.map((part) => ({
      ...part,
      image: part.image === undefined ? undefined : printed(part.image),
      state: printed(part.state),
    })),
    artefacts: artefacts?.map((one) => ({ ...one, title: printed(one.title) })),
  }
  return { results, places: listChanged(judged, results) }
}
