import { findSecret } from '../../base/evidence/find-secret.ts'
import { headerOf } from '../../base/http/headers.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import type { DoubleCall } from '../../roles/mint/double.ts'
import { mintPath } from '../../roles/mint/driver.ts'
import type { Breach } from '../engine/subject.ts'
import type { BackendInvariant } from './invariants.ts'

/** A shorter session may appear in a call by chance. */
const shortestSession = 8
const longestLifetimeSeconds = 3600
/** Calls of one step that are no flood. */
const flood = { anyStep: 30, eachRequest: 10, eachSecond: 20 }

type OwnBreach = Breach & { readonly invariant: BackendInvariant }

export interface CallContext {
  readonly apiKey: string
  /** The sessions that requests of the story carried. */
  readonly sessions: ReadonlySet<string>
}

/** Lists the breaches of one mint call. */
export function judgeCall(call: DoubleCall, { apiKey, sessions }: CallContext): OwnBreach[] {
  const { method, target, headers, body, json, userId } = call
  const evidence = call.exchange === '' ? [] : [call.exchange]
  const breaches: OwnBreach[] = []
  const text = [target, ...headers.map((pair) => pair.join(': ')), body].join('\n')
  for (const session of sessions)
    if (session.length >= shortestSession && findSecret(text, session) !== null)
      breaches.push({
        invariant: 'EXP-02',
        saw: 'a sessionToken in a mint call',
        expected: "the sessionToken at the customer's API only (5.1)",
        fix: 'Build every mint request from scratch, the second try too.',
        evidence,
        isProof: true,
      })
  // A backend may look whether its mint is up by other requests.
  if (!target.startsWith(mintPath)) return breaches
  const authorization = headerOf(headers, 'authorization') ?? ''
  const wrong =
    method !== 'POST'
      ? `by ${method}`
      : !(/^bearer /i.test(authorization) && authorization.slice(7).trim() === apiKey)
        ? 'without the API key as the bearer'
        : userId === null || userId === ''
          ? 'without a userId'
          : null
  if (wrong !== null)
    breaches.push({
      invariant: 'EXP-08',
      saw: `a mint call ${wrong}`,
      expected: 'POST with the API key as the bearer and a userId (2.2)',
      fix: 'Send each try of a mint call by the same code.',
      evidence,
      isProof: true,
    })
  const ttl = isRecord(json) ? json['ttlSeconds'] : undefined
  if (typeof ttl === 'number' && ttl > longestLifetimeSeconds)
    breaches.push({
      invariant: 'EXP-10',
      saw: `a mint call with ttlSeconds ${ttl}`,
      expected: 'at most 3600 (8)',
      fix: 'Ask for a lifetime of minutes in every call.',
      evidence,
      isProof: true,
    })
  return breaches
}

/**
 * Judges whether the calls of a step are too many for the requests of the last seconds. A backend may mint
 * after its response.
 */
export function judgeFlood(calls: number, requests: number, seconds: number): OwnBreach[] {
  const most = flood.anyStep + flood.eachRequest * requests + flood.eachSecond * seconds
  return calls <= most
    ? []
    : [
        {
          invariant: 'EXP-09',
          saw: `${calls} mint calls within ${Math.ceil(seconds * 10) / 10} s, after ${requests} requests`,
          expected: 'a few tries for each request (7)',
          fix: 'Limit the tries of a mint call, and pause between them.',
        },
      ]
}
