import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { startListening } from '../../base/http/listening.ts'
import { findFreePort } from '../../run/provision/engine/engine.ts'
import { createWorkplace, livingIn } from '../testing/workplace.ts'

const key = `ac_live_${'Zq81'.repeat(10)}`

/** A mint that a command brings up, on a port that is known beforehand. */
async function started(command: (port: number) => string, readyTimeoutSeconds = 20) {
  const port = await findFreePort('127.0.0.1')
  return await createWorkplace({
    mint: { url: `http://127.0.0.1:${port}`, apiKey: key },
    start: { command: command(port), readyTimeoutSeconds },
  })
}

const server = (port: number) =>
  `node -e "require('http').createServer((_, s) => s.writeHead(404).end()).listen(${port})"`

test('a command is brought up, waited for, and ended with all that it has started', async () => {
  await using place = await started((port) => `echo my pid is $$; sleep 300 & (sleep 5; ${server(port)})`)
  const { code } = await place.start(['run', '--only', 'MINT-01', '--keep-going']).ended
  expect(code).toBe(1)
  const { checks, parts, durationMs } = await place.results()
  expect(checks).toMatchObject([{ id: 'MINT-01', verdict: 'fail' }])
  // The user has waited for it as well.
  expect(durationMs).toBeGreaterThan(5_000)
  expect(parts).toEqual([{ part: 'command', state: 'running', log: 'command.log' }])
  const log = await place.read('command.log')
  const group = Number(/my pid is (\d+)/.exec(log)?.[1])
  expect(group).toBeGreaterThan(1)
  expect(await livingIn(group)).toEqual([])
})

test('a command that ends at once: its last lines, masked, and exit 2', async () => {
  const says = `echo no database for ${key}, password hJ3kL9mN2pQ5 >&2; yes "    at open (a.js:1:1)" | head -n 15 >&2`
  await using place = await started(() => `${says}; exit 7`)
  const { code, stdout, stderr } = await place.start(['run']).ended
  expect(stderr).toContain('start.command exited with code 7; expected it to stay in the foreground')
  expect(stderr).toContain('  | no database for ‹api-key')
  expect(stderr).toMatch(/, password ‹12 characters #[0-9a-f]{4}›/)
  expect(stderr).not.toContain(key)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test('a command that does not bring up what it should is waited for no longer than said', async () => {
  await using place = await started(() => 'echo still thinking; sleep 300', 1)
  const { code, stderr } = await place.start(['run']).ended
  expect(stderr).toMatch(
    /start\.command did not start mint\.url \(.*\): the connection was refused within 1 s/,
  )
  expect(stderr).toContain('  | still thinking')
  expect(code).toBe(2)
})

test('a command is not run where another server responds already', async () => {
  await using reference = await startReference()
  const { mint } = reference.written
  await using place = await createWorkplace({ mint, start: { command: 'touch ran' } })
  const { code, stderr } = await place.start(['run', '--suite', 'mint']).ended
  expect(stderr).toMatch(/mint\.url \(http.*\) already responded before start\.command ran: stop the server/)
  expect(code).toBe(2)
})

test('a host name that does not resolve is not the mistake of the command', async () => {
  await using place = await createWorkplace({
    mint: { url: 'http://no-such-host.invalid', apiKey: key },
    start: { command: 'sleep 300', readyTimeoutSeconds: 1 },
  })
  const { code, stderr } = await place.start(['run']).ended
  expect(stderr).toContain('mint.url (http://no-such-host.invalid): its host name does not resolve: correct')
  expect(stderr).not.toContain('start.command did')
  expect(code).toBe(2)
})

test('the run ends before the command starts if another server has the port of the double', async () => {
  await using taken = await startListening(createServer(), { host: '127.0.0.1', port: 0 })
  const user = (name: string) => ({ userId: name, token: `session-of-${name}` })
  const backend = {
    url: 'http://127.0.0.1:9/calling-token',
    fakeMint: { listen: `127.0.0.1:${taken.port}`, apiKey: key },
    sessions: { alice: user('alice'), bob: user('bob') },
  }
  await using place = await createWorkplace({ backend, start: { command: 'touch ran' } })
  const { code, stderr } = await place.start(['run', '--suite', 'backend']).ended
  expect(stderr).toBe(
    `twotoken: backend.fakeMint cannot listen on 127.0.0.1:${taken.port}: the port is already in use: free it, or change backend.fakeMint.listen and the mint address of the backend\n`,
  )
  await expect(place.read('../ran')).rejects.toThrow('ENOENT')
  expect(code).toBe(2)
})

test('an interruption ends the command', async () => {
  await using place = await started(() => 'echo $$ > pid; sleep 300', 60)
  const running = place.start(['run'])
  await expect.poll(() => place.read('../pid').catch(() => '')).toMatch(/\d/)
  const group = Number(await place.read('../pid'))
  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(130)
  expect(await livingIn(group)).toEqual([])
})

test('--containers beside a command is wrong usage', async () => {
  await using place = await started(() => 'true')
  const { code, stderr } = await place.start(['run', '--containers']).ended
  expect(stderr).toContain('--containers conflicts with another way to start')
  expect(code).toBe(2)
})
