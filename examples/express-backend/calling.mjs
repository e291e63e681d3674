const { CALLING_API_URL, CALLING_API_KEY } = process.env

/** A calling token for a user, from the calling service. */
export async function mintCallingToken(userId) {
  const response = await fetch(`${CALLING_API_URL}/api/v1/calling/token`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${CALLING_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ userId, ttlSeconds: 900 }),
    signal: AbortSignal.timeout(2000),
  })
  const { token } = await response.json()
  return token
}
