import type { CheckResult } from '../../requirement/run.ts'
import { type RunResults, resultsOf } from '../results.ts'
import { frozenRun } from './frozen-run.ts'

/** The largest run that is promised to be read and opened in a second: every requirement rests on 25 exchanges. */
export function manyExchanges(requirements = 200, exchanges = 5000): RunResults {
  const known = frozenRun.exchanges
  const each = exchanges / requirements
  const checks = Array.from({ length: requirements }, (_, index): CheckResult => {
    const check = frozenRun.checks[index % frozenRun.checks.length]
    if (check === undefined) throw new Error('the frozen run has no requirement')
    const evidence = Array.from({ length: each }, (__, place) => `x${index * each + place + 1}`)
    return {
      ...check,
      id: `${check.id.split('-')[0]}-${index + 100}`,
      findings: [
        { level: check.level, verdict: check.verdict, message: 'saw this; expected that', evidence },
      ],
    }
  })
  return resultsOf({
    target: 'a large run',
    startedAt: new Date(frozenRun.startedAt),
    durationMs: 60_000,
    seed: 1,
    interrupted: false,
    checks,
    exchanges: Array.from({ length: exchanges }, (_, index) => {
      const exchange = known[index % known.length]
      if (exchange === undefined) throw new Error('the frozen run has no exchange')
      return { ...exchange, id: `x${index + 1}`, at: index * 10 }
    }),
  })
}
