import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

// A text in which nothing was found is not searched again, until a secret comes that it may hold.

const session = 'q7Rk2mPz8LwXv4Tn6Bc1Ys'

test.each([
  ['a secret', `a session ${session} of alice`, session],
  ['the end of a secret', `…${session.slice(-12)} was signed out`, session.slice(-12)],
  ['a secret in base64', `x ${Buffer.from(session).toString('base64')}`, 'cTdSazJtUHo4'],
  ['a secret backwards', [...session].toReversed().join(''), 'sY1cB6nT4vXwL8'],
])('%s that was harmless before it became known is hidden afterwards', (_, text, shown) => {
  const redactor = createRedactor()
  expect(redactor.text(text)).toBe(text)
  redactor.register('session', session)
  expect(redactor.text(text)).not.toContain(shown)
})

test('a text that is shorter than any part of the new secret stays harmless', () => {
  const redactor = createRedactor()
  expect(redactor.received('keep-alive')).toBe('keep-alive')
  redactor.learn('calling-jwt', session.repeat(8))
  expect(redactor.received('keep-alive')).toBe('keep-alive')
})
