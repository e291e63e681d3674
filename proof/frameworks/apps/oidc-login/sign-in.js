import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

// Prints a token of the login: node sign-in.js USER CLIENT access_token|id_token|refresh_token [ended]

const { LOGIN_URL, SESSION_SECRET } = process.env
const [user, client, kind, ended] = process.argv.slice(2)
const redirect = 'https://shop.example/callback'
const verifier = randomBytes(32).toString('base64url')

const query = new URLSearchParams({
  client_id: client,
  response_type: 'code',
  scope: 'openid offline_access calling',
  prompt: 'consent',
  login_hint: user,
  resource: client === 'news' ? 'https://news.example/api' : 'https://shop.example/api',
  redirect_uri: redirect,
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})

const cookies = new Map()
let next = `${LOGIN_URL}/auth?${query}`
while (!next.startsWith(redirect)) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
    cookies.set(name, value)
  }
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the login answered ${response.status}: ${await response.text()}`)
  next = new URL(location, next).href
}

const response = await fetch(`${LOGIN_URL}/token`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(next).searchParams.get('code') ?? '',
    redirect_uri: redirect,
    code_verifier: verifier,
    client_id: client,
    client_secret: SESSION_SECRET,
  }),
})
const tokens = await response.json()
if (!response.ok) throw new Error(JSON.stringify(tokens))
if (ended !== undefined) await setTimeout(2_500)
console.log(tokens[kind])
