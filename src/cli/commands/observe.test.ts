import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { reservePort } from '../../../fixtures/reserve-port.ts'
import { startListening } from '../../base/http/listening.ts'
import { createWorkplace, type Running, type Workplace } from '../testing/workplace.ts'

function observe(place: Workplace, ids: string) {
  const run = place.start(['run', '--observe', '--only', ids])
  return { run, enter: () => void run.process.stdin?.write('\n') }
}

/** Presses Enter behind each step, as a user who follows them on a device. */
async function connectByHand(run: Running, enter: () => void): Promise<void> {
  for (const step of ['Restart the app', 'Sign in as alice (userId u-1)', 'Connect now']) {
    enter()
    await run.says(step)
  }
}

test('a device is judged from its traffic, step by step', async () => {
  await using place = await createWorkplace({
    client: { observe: { listen: '127.0.0.1:19471' }, users: { alice: { userId: 'u-1' } } },
  })
  const { run, enter } = observe(place, 'CLI-01')
  await run.says('token route  http://127.0.0.1:19471/calling/token', 'Then press Enter')
  await connectByHand(run, enter)
  const answer = await fetch('http://127.0.0.1:19471/calling/token', {
    method: 'POST',
    headers: { authorization: 'Bearer session-of-a-device' },
  })
  expect(await answer.json()).toMatchObject({ token: expect.stringMatching(/^ey/) })
  const socket = new WebSocket('ws://127.0.0.1:19471/signaling')
  enter()
  const { code, stdout } = await run.ended
  socket.close()
  expect(stdout).toContain('1 pass')
  expect(code).toBe(0)
})

test('a device behind the proxy is set up once; an interruption keeps the results and frees the port', async () => {
  await using reserved = await reservePort()
  const proxy = `127.0.0.1:${reserved.port}`
  await using place = await createWorkplace({
    backend: { url: 'https://api.shop.test/calling/token' },
    client: { observe: { proxy }, users: { alice: { userId: 'u-1' } } },
  })
  const { run, enter } = observe(place, 'CLI-10,CLI-16')
  const curl = async (...args: readonly string[]) =>
    (await promisify(execFile)('curl', ['-sS', ...args])).stdout
  await run.says(`HTTP proxy  ${proxy}`, `http://${proxy}/twotoken-ca.crt`, 'Then press Enter')
  await place.write('ca.pem', await curl(`http://${proxy}/twotoken-ca.crt`))
  await connectByHand(run, enter)
  const session = ['-H', 'Authorization: Bearer session-of-a-device']
  const through = ['-x', `http://${proxy}`, '--cacert', join(place.folder, 'ca.pem')]
  await curl(...through, '-X', 'POST', ...session, 'https://api.shop.test/calling/token')
  enter()
  await run.says('CLI-16: the client records requests')
  run.process.kill('SIGINT')
  const { code, stdout, stderr } = await run.ended

  expect(code).toBe(130)
  expect(stderr.match(/On the device/g)).toHaveLength(1)
  expect([stdout, stderr].join()).not.toContain('session-of-a-device')
  const { interrupted, checks } = await place.results()
  expect(interrupted).toBe(true)
  expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['CLI-10', 'info'],
    ['CLI-16', 'untested'],
  ])
  await using _freed = await startListening(createServer(), { host: '127.0.0.1', port: reserved.port })
})
