import type { HttpExchange, Journal } from '../../base/evidence/exchange.ts'

type Recorded = Pick<HttpExchange, 'to'> &
  Partial<Pick<HttpExchange, 'at' | 'case' | 'response' | 'unavailable'>>

/** Records a request of the suite. */
export function recordHttp(journal: Journal, recorded: Recorded): string {
  const request = { method: 'POST', url: 'http://part.test/', headers: [], body: '' }
  return journal.record({ kind: 'http', from: 'suite', at: 0, durationMs: 0, request, ...recorded })
}
