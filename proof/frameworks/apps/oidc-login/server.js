import express from 'express'
import { verify } from './verify.js'

async function signedIn(req, res, next) {
  const [, session] = /^bearer +(\S+)$/i.exec(req.get('authorization') ?? '') ?? []
  const user = session === undefined ? null : await verify(session).catch(() => null)
  if (user === null) return res.status(401).json({ error: 'sign in first' })
  res.locals.user = user
  next()
}

const app = express()
app.disable('x-powered-by')

app.post('/calling/token', signedIn, async (_req, res) => {
  try {
    const response = await fetch(`${process.env.CALLING_API_URL}/api/v1/calling/token`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${process.env.CALLING_API_KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ userId: res.locals.user, ttlSeconds: 900 }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`the mint answered ${response.status}`)
    const token = readToken(text)
    if (typeof token !== 'string' || token === '') throw new Error('the mint sent no token')
    res.set('cache-control', 'no-store').json({ token })
  } catch (error) {
    console.error(error.message)
    res.status(502).json({ error: 'calling is not available' })
  }
})

function readToken(text) {
  try {
    const body = JSON.parse(text)
    return body.token ?? body.jwt ?? body
  } catch {
    return text
  }
}

app.use((error, _req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: 'the request failed' })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
