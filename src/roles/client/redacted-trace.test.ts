import { expect, test } from 'vitest'
import { createRedactor } from '../../base/evidence/redact.ts'
import { redactedTrace } from './redacted-trace.ts'
import { zipContents } from './zip-contents.ts'
import { zipOf } from './zip-of.ts'

test('a trace keeps what happened and how it looked, and none of the secrets', () => {
  const redactor = createRedactor()
  redactor.register('session', 'session-of-alice')
  const network = {
    snapshot: {
      request: {
        url: 'http://app/login?code=unknown-secret',
        headers: [
          { name: 'Authorization', value: 'Bearer unknown-secret' },
          { name: 'Accept', value: '*/*' },
        ],
        cookies: [{ name: 'sid', value: 'unknown-secret' }],
        postData: { _sha1: 'x', text: 'unknown-secret' },
      },
    },
  }
  const trace = zipOf([
    { name: 'trace.trace', bytes: Buffer.from('{"type":"before","params":{"value":"session-of-alice"}}\n') },
    { name: 'trace.network', bytes: Buffer.from(`${JSON.stringify(network)}\n`) },
    { name: 'resources/a.json', bytes: Buffer.from('{"refresh":"unknown-secret"}') },
    { name: 'resources/b.css', bytes: Buffer.from('h1 { color: teal }') },
    { name: 'resources/c.html', bytes: Buffer.from('<p>session-of-alice') },
  ])
  const clean = redactedTrace(trace, redactor)
  const entries = Object.fromEntries(
    zipContents(clean, 1_000_000).map(({ name, bytes }) => [name, String(bytes)]),
  )
  expect(Object.keys(entries)).toEqual(['trace.trace', 'trace.network', 'resources/b.css', 'left-out.txt'])
  expect(JSON.stringify(entries)).not.toMatch(/session-of-alice|unknown-secret/)
  expect(entries['trace.network']).toContain('http://app/login')
  expect(entries['left-out.txt']).toContain('resources/c.html: it holds a secret')
})
