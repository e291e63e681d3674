import type { HttpExchange, Party, WebSocketExchange } from '../../base/evidence/exchange.ts'
import { describeBreach } from '../../requirement/judge.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { resultsOf } from '../results.ts'

const session = 'Bearer ‹session, 37 characters, #aaaa0001›'
const key = '‹api-key, 48 characters, #cccc0001›'
const jwt = '‹calling-jwt, 470 characters, #bbbb0001›'

interface Said {
  readonly id: string
  readonly from: Party
  readonly to: Party
  readonly at: number
  readonly durationMs?: number
  readonly asks: Readonly<Record<string, string>>
  readonly status: number
  readonly answers: string
}

function http({ id, from, to, at, durationMs = 20, asks, status, answers }: Said): HttpExchange {
  const url = to === 'backend' ? 'http://127.0.0.1:9401/calling/token' : '/api/v1/calling/token'
  return {
    id,
    kind: 'http',
    from,
    to,
    at,
    durationMs,
    request: { method: 'POST', url, headers: Object.entries(asks), body: '{"userId":"u-alice"}' },
    response: { status, statusText: '', headers: [['content-type', 'application/json']], body: answers },
  }
}

const joined: WebSocketExchange = {
  id: 'x3',
  kind: 'websocket',
  from: 'suite',
  to: 'signaling',
  at: 150,
  durationMs: 40,
  request: {
    url: 'wss://127.0.0.1:9402/ws',
    headers: [['Sec-WebSocket-Protocol', `calling.v1, bearer.${jwt}`]],
  },
  events: [
    { at: 160, type: 'open', text: 'calling.v1' },
    { at: 165, type: 'frame', text: '{"type":"welcome"}' },
  ],
  verdict: 'was accepted: a frame with "welcome" at $.type',
}

function failed(
  id: string,
  clauses: readonly string[],
  title: string,
  saw: string,
  exchange: string,
): CheckResult {
  return {
    id,
    title,
    role: id.startsWith('FLOW') ? 'flow' : 'backend',
    level: 'MUST',
    clauses,
    verdict: 'fail',
    reason: null,
    findings: [
      describeBreach(
        { level: 'MUST', verdict: 'fail' },
        { saw, expected: 'nothing of it', fix: 'Leave it out.', evidence: [exchange] },
      ),
    ],
    observations: {},
    durationMs: 12,
  }
}

/** A backend that forwards the session to the mint, and returns the key to the app when the mint fails. */
export const leakingRun = resultsOf({
  target: 'acme-leaking',
  startedAt: new Date('2026-11-21T09:00:00.000Z'),
  durationMs: 4000,
  seed: 7,
  interrupted: false,
  checks: [
    failed('BACK-08', ['2.1.1', '5.2'], 'keeps its API key to itself', 'the API key in the body', 'x5'),
    failed('BACK-13', ['5.1'], 'never passes a session on', 'the sessionToken in the header x-trace', 'x2'),
    {
      ...failed('FLOW-04', ['5.1'], 'keeps each secret on its own way', 'the sessionToken at the mint', 'x2'),
      observations: {
        'flow.secretPlaces': {
          "the app's request": { sessionToken: 'belongs' },
          'a mint request': { sessionToken: 'out of place', 'API key': 'belongs' },
          "signaling's frames": { sessionToken: 'not seen', 'API key': 'not seen' },
        },
      },
    },
  ],
  exchanges: [
    http({
      id: 'x1',
      from: 'suite',
      to: 'backend',
      at: 100,
      durationMs: 45,
      asks: { authorization: session },
      status: 200,
      answers: `{"token":"${jwt}"}`,
    }),
    http({
      id: 'x2',
      from: 'backend',
      to: 'mint-double',
      at: 110,
      asks: { authorization: `Bearer ${key}`, 'x-trace': session },
      status: 200,
      answers: `{"token":"${jwt}"}`,
    }),
    joined,
    // The suite offers a key as a session, and the error repeats it: an attack and its echo.
    http({
      id: 'x4',
      from: 'suite',
      to: 'backend',
      at: 300,
      asks: { authorization: `Bearer ${key}` },
      status: 401,
      answers: `{"error":"${key}"}`,
    }),
    http({
      id: 'x5',
      from: 'suite',
      to: 'backend',
      at: 400,
      asks: { authorization: session },
      status: 502,
      answers: `{"error":"mint said no to ${key}"}`,
    }),
  ],
})
