const api = 'https://shop.example/api'

async function introspect(session) {
  const response = await fetch(`${process.env.LOGIN_URL}/token/introspection`, {
    method: 'POST',
    body: new URLSearchParams({
      token: session,
      client_id: api,
      client_secret: process.env.SESSION_SECRET,
    }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`the login answered ${response.status}`)
  return await response.json()
}

export async function verify(session) {
  const known = await introspect(session)
  if (!known.active || known.token_type !== 'Bearer' || known.aud !== api) throw new Error('no session')
  return known.sub
}
