import type { HttpExchange, Party, WebSocketExchange } from '../../base/evidence/exchange.ts'
import { describeBreach } from '../../requirement/judge.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { resultsOf } from '../results.ts'

const session = 'Bearer ‹session, 37 characters, #aaaa0001›'
const key = '‹api-key, 48 characters, #cccc0001›'
const jwt = '‹calling-jwt, 470 characters, #bbbb0001›'

type Headers = Readonly<Record<string, string>>

function http(
  id: string,
  way: readonly [Party, Party, at: number],
  asks: Headers,
  status: number,
  body: string,
) {
  const [from, to, at] = way
  const url = to === 'backend' ? 'http://127.0.0.1:9401/calling/token' : '/api/v1/calling/token'
  return {
    id,
    kind: 'http',
    from,
    to,
    at,
    durationMs: to === 'backend' ? 45 : 20,
    request: { method: 'POST', url, headers: Object.entries(asks), body: '{"userId":"u-alice"}' },
    response: { status, statusText: '', headers: [['content-type', 'application/json']], body },
  } satisfies HttpExchange
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

function failed(id: string, clauses: readonly string[], title: string, saw: string, exchange: string) {
  const breach = { saw, expected: 'nothing of it', fix: 'Leave it out.', evidence: [exchange] }
  return {
    id,
    title,
    role: id.startsWith('FLOW') ? 'flow' : 'backend',
    level: 'MUST',
    clauses,
    verdict: 'fail',
    reason: null,
    findings: [describeBreach({ level: 'MUST', verdict: 'fail' }, breach)],
    observations: {},
    durationMs: 12,
  } satisfies CheckResult
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
    http('x1', ['suite', 'backend', 100], { authorization: session }, 200, `{"token":"${jwt}"}`),
    http(
      'x2',
      ['backend', 'mint-double', 110],
      { authorization: `Bearer ${key}`, 'x-trace': session },
      200,
      `{"token":"${jwt}"}`,
    ),
    joined,
    // The suite offers a key as a session, and the error repeats it: an attack and its echo.
    http('x4', ['suite', 'backend', 300], { authorization: `Bearer ${key}` }, 401, `{"error":"${key}"}`),
    http(
      'x5',
      ['suite', 'backend', 400],
      { authorization: session },
      502,
      `{"error":"mint said no to ${key}"}`,
    ),
  ],
})
