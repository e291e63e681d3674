import cors from '@fastify/cors'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'

const app = Fastify({ logger: true })

await app.register(cors, { origin: 'https://shop.example' })
await app.register(jwt, { secret: process.env.SESSION_SECRET })

app.decorate('authenticate', async (request, reply) => {
  try {
    await request.jwtVerify()
  } catch {
    await reply.code(401).send({ error: 'sign in first' })
  }
})

async function mintToken(userId) {
  const response = await fetch(`${process.env.CALLING_API_URL}/api/v1/calling/token`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.CALLING_API_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ userId, ttlSeconds: 900 }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`the mint answered ${response.status}`)
  const { token, jwt } = await response.json()
  return token ?? jwt
}

const schema = {
  response: {
    200: { type: 'object', properties: { token: { type: 'string', minLength: 1 } }, required: ['token'] },
  },
}

app.post('/calling/token', { onRequest: [app.authenticate], schema }, async (request, reply) => {
  try {
    const token = await mintToken(request.user.sub)
    if (typeof token !== 'string' || token === '') throw new Error('the mint sent no token')
    return { token }
  } catch (error) {
    request.log.error(error)
    return reply.code(502).send({ error: 'calling is not available' })
  }
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
