import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { Refusal } from '../../../fixtures/mint/policy.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { findFreePort } from '../../run/provision/engine/engine.ts'
import { openStreams } from '../testing/streams.ts'
import { doctor } from './doctor.ts'

async function examined(written: unknown) {
  await using folder = await openTempFolder()
  await writeFile(join(folder.path, 'twotoken.yaml'), stringify(written))
  const { written: said, ...streams } = openStreams()
  const exitCode = await doctor({}, { directory: folder.path, variables: {}, ...streams })
  return { exitCode, lines: said.stdout.split('\n') }
}

test('a stack that can be judged is ok in every part', async () => {
  await using reference = await startReference({ withoutDouble: true })
  const { exitCode, lines } = await examined(reference.written)
  expect(exitCode).toBe(0)
  expect(lines.map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['mint', 'ok'],
    ['backend', 'ok'],
    ['signaling', 'ok'],
    ['client', '–'],
    ['token', 'ok'],
    ['clock', 'ok'],
    ['ready', 'to'],
    [''],
  ])
})

test('each problem is one line, with exit 2', async () => {
  await using reference = await startReference({ withoutDouble: true })
  const key = 'ac_live_00000000000000000000'
  const sessions = { alice: { token: 'no-session', userId: 'u' } }
  const { exitCode, lines } = await examined({
    mint: { url: reference.mint.url, apiKey: key },
    backend: { url: reference.backend.tokenUrl, sessions },
  })
  expect(exitCode).toBe(2)
  expect(lines[0]).toMatch(/^mint {7}wrong .* returned 401 for mint\.apiKey/)
  expect(lines[1]).toMatch(/^backend {4}wrong .* returned 401 for backend\.sessions\.alice/)
  expect(lines[2]).toMatch(/^signaling {2}– .* not in the file/)
  expect(lines[3]).toMatch(/^client {5}– .* not in the file/)
  expect(lines[6]).toBe('2 problems to fix before twotoken run')
  expect(lines.join('\n')).not.toContain(key)
})

test('a mint and a backend that answer 500 to an ordinary request are said, though a run can start', async () => {
  const admit = () => {
    throw new Refusal(500, 'not_found', 'broken')
  }
  await using reference = await startReference({ withoutDouble: true, variant: { mint: { admit } } })
  const { exitCode, lines } = await examined(reference.written)
  expect(exitCode).toBe(0)
  expect(lines.join('\n')).toMatch(/^mint {7}note .* returned 500 .*without a token/m)
  expect(lines.join('\n')).toContain('a run can start, but the mint and the backend gave no token')
})

test('starts the parts that run starts, before it asks one for a session', async () => {
  const port = await findFreePort('127.0.0.1')
  const answers = "(q, s) => q.method === 'GET' ? s.end('session-' + 'of-alice') : s.writeHead(401).end()"
  const program = `require('http').createServer(${answers}).listen(${port})`
  // It gives no session in its first moments.
  const session = `node -e "fetch('http://127.0.0.1:${port}').then((r) => r.text()).then(console.log)"`
  const command = `test -e asked && ${session} || { touch asked; exit 1; }`
  const { exitCode, lines } = await examined({
    backend: {
      url: `http://127.0.0.1:${port}/calling/token`,
      sessions: { alice: { token: { command }, userId: 'u-alice' } },
    },
    start: { command: `node -e "${program}"` },
  })
  expect(lines[0]).toMatch(/^start {6}ok {5}started as run would start it/)
  expect(lines.join()).toContain('returned 401 for backend.sessions.alice')
  expect(exitCode).toBe(2)
})
