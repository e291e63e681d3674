import axios from 'axios'
import cors from 'cors'
import express from 'express'
import morgan from 'morgan'
import passport from 'passport'
import { ExtractJwt, Strategy } from 'passport-jwt'

const users = new Map([
  ['u-alice', { id: 'u-alice', email: 'alice@shop.example', name: 'Alice' }],
  ['u-bob', { id: 'u-bob', email: 'bob@shop.example', name: 'Bob' }],
])

const jwtOptions = {
  jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
  secretOrKey: process.env.SESSION_SECRET,
  algorithms: ['HS256'],
}

passport.use(
  new Strategy(jwtOptions, (payload, done) => {
    const user = users.get(payload.sub)
    return user ? done(null, user) : done(null, false)
  }),
)

const mint = axios.create({
  baseURL: process.env.CALLING_API_URL,
  headers: { Authorization: `Bearer ${process.env.CALLING_API_KEY}` },
  timeout: 10_000,
  maxRedirects: 0,
})

const app = express()
app.use(morgan('combined'))
app.use(express.json())
app.use(cors({ origin: 'https://shop.example' }))
app.use(passport.initialize())

app.post('/calling/token', passport.authenticate('jwt', { session: false }), async (req, res) => {
  try {
    const { data } = await mint.post('/api/v1/calling/token', { userId: req.user.id, ttlSeconds: 900 })
    const token = data.token ?? data.jwt ?? data
    if (typeof token !== 'string' || token === '') throw new Error('the mint sent no token')
    res.json({ token })
  } catch (error) {
    console.error(error.message)
    res.status(502).json({ error: 'calling is not available' })
  }
})

app.use((error, req, res, next) => {
  console.error(error.message)
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: 'the request failed' })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
