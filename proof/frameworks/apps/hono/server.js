import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import { jwt } from 'hono/jwt'
import { logger } from 'hono/logger'

const app = new Hono()

app.use(logger())
app.use('/calling/*', cors({ origin: 'https://shop.example' }))
app.use('/calling/*', jwt({ secret: process.env.SESSION_SECRET, alg: 'HS256' }))

app.post('/calling/token', async (c) => {
  const { sub } = c.get('jwtPayload')
  const response = await fetch(`${process.env.CALLING_API_URL}/api/v1/calling/token`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${process.env.CALLING_API_KEY}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ userId: sub, ttlSeconds: 900 }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  }).catch((cause) => {
    throw new HTTPException(502, { message: 'calling is not available', cause })
  })
  if (!response.ok) throw new HTTPException(502, { message: 'calling is not available' })
  const body = await response.json().catch(() => ({}))
  const token = body.token ?? body.jwt
  if (typeof token !== 'string' || token === '')
    throw new HTTPException(502, { message: 'calling is not available' })
  return c.json({ token })
})

app.onError((error, c) => {
  if (error instanceof HTTPException) return c.json({ error: error.message || 'sign in first' }, error.status)
  console.error(error)
  return c.json({ error: 'Internal Server Error' }, 500)
})

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
