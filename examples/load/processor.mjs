import { createHash, randomBytes } from 'node:crypto'

/** The user who got each token first, by the token's hash. Each thread of Artillery has its own. */
const owners = new Map()

/** Requests a token with the session of this virtual user, and verifies whose token came back. */
export async function getToken({ vars }, events) {
  const token = await request(vars.target, vars.session, events)
  if (token === null) return
  const hash = createHash('sha256').update(token).digest('base64')
  const first = owners.get(hash) ?? vars.userId
  owners.set(hash, first)
  const named = userOf(token, vars.userClaim) ?? vars.userId
  events.emit('counter', 'tokens', 1)
  events.emit('counter', 'wrong_user', first === vars.userId && named === vars.userId ? 0 : 1)
}

/** Requests a token with a session that was never issued: a busy backend must still reject it. */
export async function tryInvalidSession({ vars }, events) {
  const token = await request(vars.target, randomBytes(24).toString('base64url'), events)
  events.emit('counter', 'invalid_session_served', token === null ? 0 : 1)
}

/** The token of a 2xx; null for any other answer. Overload, such as 429 or 503, is counted and violates nothing. */
async function request(url, session, events) {
  const began = performance.now()
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  })
  events.emit('histogram', 'token_route_ms', performance.now() - began)
  events.emit('counter', `token_route_${reply.status}`, 1)
  const body = await reply.json().catch(() => ({}))
  return reply.ok && typeof body.token === 'string' ? body.token : null
}

/** The user whom a JWT names; undefined for other tokens. The signature is not verified: `run` does that. */
function userOf(token, claim) {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())[claim]
  } catch {
    return undefined
  }
}
