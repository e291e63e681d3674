import express from 'express'
import { mintCallingToken } from './calling.mjs'
import { createSession, readSession } from './sessions.mjs'

const users = [
  { name: 'alice', password: 'made-up-for-alice', userId: 'u-alice' },
  { name: 'bob', password: 'made-up-for-bob', userId: 'u-bob' },
]
const products = [
  { id: 1, name: 'Teapot' },
  { id: 2, name: 'Kettle' },
]

const app = express()
app.disable('x-powered-by')
app.use(express.json())

// The shop is behind a content network, which keeps each page for a minute.
app.use((_request, response, next) => {
  response.set('Cache-Control', 'public, max-age=60')
  next()
})

app.get('/products', (_request, response) => {
  response.json(products)
})

app.post('/login', (request, response) => {
  const { name, password } = request.body ?? {}
  const user = users.find((one) => one.name === name && one.password === password)
  if (user === undefined) return response.status(401).json({ error: 'wrong name or password' })
  response.json({ session: createSession(user.userId) })
})

// The app sends POST. Its first version sent GET.
app.all('/calling/token', requireSession, async (request, response) => {
  const userId = request.body?.userId ?? request.userId
  response.json({ token: await mintCallingToken(userId) })
})

// Express itself sets a status, such as 400 for malformed JSON. Any other error is one of the calling service.
app.use((error, _request, response, _next) => {
  if (error.status !== undefined) return response.status(error.status).json({ error: 'invalid request' })
  console.error(error.message)
  response.status(502).json({ error: 'calling is unavailable' })
})

function requireSession(request, response, next) {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(request.get('Authorization') ?? '') ?? []
  const session = readSession(token)
  if (session === null) return response.status(401).json({ error: 'sign in first' })
  request.userId = session.userId
  next()
}

const port = Number(process.env.PORT ?? 3000)
app.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`))
