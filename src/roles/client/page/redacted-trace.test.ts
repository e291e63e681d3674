import { unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createHider } from '../../../base/evidence/hide.ts'
import { createSecrets } from '../../../base/evidence/secrets.ts'
import { redactTrace } from './redacted-trace.ts'

const secrets = createSecrets()
secrets.register('session', 'session-of-alice')
const hider = createHider({ secrets, fingerprintKey: 'a key' })

/** Deflated, as Playwright writes its traces. */
function zip(files: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))
}

function unzip(archive: Uint8Array): Record<string, string> {
  const entries = Object.entries(unzipSync(archive))
  return Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]))
}

test('a trace keeps what happened and how it looked, and none of the secrets', () => {
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
  const trace = zip({
    'trace.trace': '{"type":"before","params":{"value":"session-of-alice"}}\n',
    'trace.network': `${JSON.stringify(network)}\n`,
    'resources/a.json': '{"refresh":"unknown-secret"}',
    'resources/b.css': 'h1 { color: teal }',
    'resources/c.css': '.session-of-alice {}',
  })
  const entries = unzip(redactTrace(trace, hider))
  expect(Object.keys(entries)).toEqual(['trace.trace', 'trace.network', 'resources/b.css', 'left-out.txt'])
  expect(JSON.stringify(entries)).not.toMatch(/session-of-alice|unknown-secret/)
  expect(entries['trace.network']).toContain('http://app/login')
  expect(entries['left-out.txt']).toContain('resources/c.css: it contains a secret')
})

test('an entry that cannot be inflated is left out, and the others are kept', () => {
  const text = 'h1 { color: teal } '.repeat(100)
  const trace = Buffer.from(zip({ 'a.css': text, 'b.css': `${text}.`, 'c.css': `${text}..` }))
  // The first byte of the deflated data states the kind of its first block; 7 is none.
  const second = trace.indexOf('b.css') + 'b.css'.length
  trace[second] = 0xff
  const entries = unzip(redactTrace(trace, hider))
  expect(Object.keys(entries)).toEqual(['a.css', 'c.css', 'left-out.txt'])
  expect(entries['left-out.txt']).toContain('b.css: ')
})

test('an entry that claims more than the bound is left out unread', () => {
  const trace = Buffer.from(zip({ 'a.css': 'h1 {}', 'b.css': 'h2 {}' }))
  trace.writeUInt32LE(2 ** 31, trace.indexOf('PK\x01\x02') + 24)
  expect(Object.keys(unzip(redactTrace(trace, hider)))).toEqual(['b.css', 'left-out.txt'])
})

test.each([
  ['no archive', () => Buffer.from('<!doctype html>')],
  ['nothing', () => Buffer.alloc(0)],
  ['an archive that is cut', () => Buffer.from(zip({ 'a.css': 'h1 {}' }).subarray(0, 60))],
])('keeps nothing of %s', (_, trace) => {
  expect(unzip(redactTrace(trace(), hider))).toEqual({ 'left-out.txt': '\n' })
})

test('texts of pages and arguments are masked, and what a viewer needs stays', () => {
  const unknown = 'q8Zk3vWmX2'
  const snapshot = {
    type: 'frame-snapshot',
    snapshot: {
      callId: 'call@12',
      frameId: 'frame@0a1b2c3d4e5f',
      html: [
        'HTML',
        {},
        ['BODY', { class: 'page-q8', title: unknown }, 'Signed in as ', ['B', {}, unknown], [[1, 7]]],
      ],
    },
  }
  const call = {
    type: 'before',
    callId: 'call@13',
    method: 'fill',
    params: { selector: '#password', value: unknown },
  }
  const trace = zip({
    'trace.trace': `${JSON.stringify(snapshot)}\n${JSON.stringify(call)}\n`,
    'resources/c.html': unknown,
  })
  const entries = unzip(redactTrace(trace, hider))
  expect(JSON.stringify(entries)).not.toContain(unknown)
  expect(entries['trace.trace']).toContain('frame@0a1b2c3d4e5f')
  expect(entries['trace.trace']).toContain('page-q8')
  expect(entries['trace.trace']).toContain('Signed in as ')
  expect(entries['trace.trace']).toContain('[[1,7]]')
})
