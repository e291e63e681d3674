import { headerOf } from '../../../src/base/http/headers.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { DoubleCall } from '../../../src/roles/mint/double.ts'

/** A mint that heeds the key (draft-ietf-httpapi-idempotency-key-header) answers the second call with the first one's token. */
export function judgeIdempotencyKeys(calls: readonly DoubleCall[], judge: Judge): void {
  const keyOf = ({ headers }: DoubleCall) => headerOf(headers, 'idempotency-key')
  const keyed = calls.filter((call) => call.userId !== null && keyOf(call) !== undefined)
  const reused = [...Map.groupBy(keyed, keyOf).values()]
    .filter((alike) => new Set(alike.map(({ userId }) => userId)).size > 1)
    .flat()
  judge.should(reused.length === 0, {
    saw: `${reused.length} mint calls for two users with one Idempotency-Key`,
    expected: 'a new key for each mint call, or none (2.1.4)',
    fix: 'Make the Idempotency-Key from a new random id for each call, and keep it for the retries of that call alone.',
    evidence: reused.slice(0, 4).map(({ exchange }) => exchange),
  })
}
