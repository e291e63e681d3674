const { randomUUID } = require('node:crypto')
const express = require('express')

const users = [
  { id: 'u1', email: 'ann@shop.example', password: 'ann-1' },
  { id: 'u2', email: 'ben@shop.example', password: 'ben-2' },
]
const sessions = new Map()

const app = express()
app.use(express.json())

app.post('/api/login', (req, res) => {
  const { email, password } = req.body
  const user = users.find((one) => one.email === email && one.password === password)
  if (!user) return res.status(401).json({ error: 'wrong login' })
  const token = randomUUID()
  sessions.set(token, user)
  res.json({ token })
})

app.post('/api/calling/token', async (req, res) => {
  const user = sessions.get((req.get('authorization') || '').replace('Bearer ', ''))
  if (!user) return res.status(401).json({ error: 'not signed in' })
  const response = await fetch(`${process.env.CALLING_API_URL}/api/v1/calling/token`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.CALLING_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ userId: req.body?.userId || user.id }),
    signal: AbortSignal.timeout(5000),
  })
  if (!response.ok) return res.status(502).json({ error: 'no token' })
  const { token } = await response.json()
  res.json({ token })
})

app.listen(process.env.PORT || 3000)
