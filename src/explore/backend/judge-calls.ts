import { findSecret } from '../../base/find-secret/find-secret.ts'
import { headerOf } from '../../base/http/headers.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { mintContract } from '../../contract/mint.ts'
import type { DoubleCall } from '../../roles/mint/double.ts'
import type { OwnBreach } from './invariants.ts'

/** A shorter session may appear in a call by chance. */
const shortestSession = 8
const longestLifetimeSeconds = 3600
/** Calls of one step that are no flood. */
const flood = { anyStep: 30, eachRequest: 10, eachSecond: 20 }

export function judgeCall(call: DoubleCall, apiKey: string, sessions: ReadonlySet<string>): OwnBreach[] {
  const { target, headers, body } = call
  const evidence = call.exchange === '' ? [] : [call.exchange]
  const text = [target, ...headers.map((pair) => pair.join(': ')), body].join('\n')
  const holdsSession = [...sessions].some(
    (session) => session.length >= shortestSession && findSecret(text, session) !== null,
  )
  // A backend may look whether its mint is up by other requests.
  const isMintCall = target.startsWith(mintContract.path)
  const breaches: (Pick<OwnBreach, 'invariant' | 'saw'> | null)[] = [
    holdsSession ? { invariant: 'EXP-02', saw: 'a sessionToken in a mint call' } : null,
    isMintCall ? judgeForm(call, apiKey) : null,
    isMintCall ? judgeLifetime(call) : null,
  ]
  return breaches.flatMap((one) => (one === null ? [] : [{ ...one, evidence, isProof: true }]))
}

function judgeForm({ method, headers, userId }: DoubleCall, apiKey: string) {
  const authorization = headerOf(headers, 'authorization') ?? ''
  const hasKey = /^bearer /i.test(authorization) && authorization.slice(7).trim() === apiKey
  const wrong =
    method !== 'POST'
      ? `by ${method}`
      : !hasKey
        ? 'without the API key as the bearer'
        : userId === null || userId === ''
          ? 'without a userId'
          : null
  return wrong === null ? null : ({ invariant: 'EXP-08', saw: `a mint call ${wrong}` } as const)
}

function judgeLifetime({ json }: DoubleCall) {
  const ttl = isRecord(json) ? json['ttlSeconds'] : undefined
  return typeof ttl === 'number' && ttl > longestLifetimeSeconds
    ? ({ invariant: 'EXP-10', saw: `a mint call with ttlSeconds ${ttl}` } as const)
    : null
}

/** Judges whether the calls of a step are too many for the requests of the story until then. */
export function judgeFlood(calls: number, requests: number, seconds: number): OwnBreach[] {
  const most = flood.anyStep + flood.eachRequest * requests + flood.eachSecond * seconds
  const saw = `${calls} mint calls within ${Math.ceil(seconds * 10) / 10} s, after ${requests} requests`
  return calls <= most ? [] : [{ invariant: 'EXP-09', saw, evidence: [] }]
}
