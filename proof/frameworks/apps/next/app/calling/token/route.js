import { jwtVerify } from 'jose'
import { NextResponse } from 'next/server'

const secret = new TextEncoder().encode(process.env.SESSION_SECRET)

async function getUser(request) {
  const [, token] = request.headers.get('authorization')?.match(/^Bearer (.+)$/i) ?? []
  if (!token) return null
  try {
    const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'] })
    return { id: payload.sub, email: payload.email }
  } catch {
    return null
  }
}

export async function POST(request) {
  const user = await getUser(request)
  if (!user) return NextResponse.json({ error: 'Unauthorized' }, { status: 401 })

  try {
    const response = await fetch(`${process.env.CALLING_API_URL}/api/v1/calling/token`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${process.env.CALLING_API_KEY}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ userId: user.id, ttlSeconds: 900 }),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`mint: ${response.status}`)
    const data = await response.json()
    const token = data.token ?? data.jwt
    if (typeof token !== 'string' || !token) throw new Error('mint: no token')
    return NextResponse.json({ token })
  } catch (error) {
    console.error(error)
    return NextResponse.json({ error: 'Bad gateway' }, { status: 502 })
  }
}
