import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** Sessions are JWTs. The key `2026` signs new ones; its secret is in SESSION_SECRET_2026. */
const currentKey = '2026'

export function createSession(userId, seconds = 3600) {
  const now = Math.floor(Date.now() / 1000)
  const header = encode({ alg: 'HS256', typ: 'JWT', kid: currentKey })
  const claims = encode({ sub: userId, jti: randomUUID(), iat: now, exp: now + seconds })
  return `${header}.${claims}.${sign(`${header}.${claims}`, currentKey)}`
}

/** The user of a session; null for a session that is not valid. */
export function readSession(token) {
  try {
    const [header, claims, signature, ...others] = token.split('.')
    const { alg, kid } = decode(header)
    const expected = sign(`${header}.${claims}`, kid)
    if (alg !== 'HS256' || others.length > 0 || !isEqual(signature, expected)) return null
    const { sub, exp } = decode(claims)
    return exp > Date.now() / 1000 ? { userId: sub } : null
  } catch {
    return null
  }
}

function sign(text, kid) {
  const secret = process.env[`SESSION_SECRET_${kid}`] ?? ''
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function isEqual(one, other) {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(text) {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
