// Revokes the session in TWOTOKEN_SESSION.

const { LOGIN_URL, SESSION_SECRET, TWOTOKEN_SESSION } = process.env
const { ok } = await fetch(`${LOGIN_URL}/token/revocation`, {
  method: 'POST',
  body: new URLSearchParams({
    token: TWOTOKEN_SESSION,
    client_id: 'https://shop.example/api',
    client_secret: SESSION_SECRET,
  }),
})
process.exitCode = ok ? 0 : 1
