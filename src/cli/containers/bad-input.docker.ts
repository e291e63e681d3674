import { expect, test } from 'vitest'
import { createWorkplace } from '../testing/workplace.ts'
import { leftBy, scriptImage, secondsOnce } from './testing/docker.ts'

const key = `ac_live_${'Zq81'.repeat(10)}`

const elsewhere = { mint: { url: 'http://127.0.0.1:9', apiKey: key }, signaling: { url: 'ws://127.0.0.1:9' } }

/** Runs with this as the backend's container and no other, which might be late itself, and returns how it ended. */
async function runWith(container: Readonly<Record<string, unknown>>, readyTimeoutSeconds = 20) {
  await using place = await createWorkplace({
    ...elsewhere,
    start: { readyTimeoutSeconds, containers: { backend: { port: 8080, ...container } } },
  })
  const running = place.start(['run', '--only', 'BACK-01'])
  const { code, stdout, stderr } = await running.ended
  expect(await leftBy(running.process.pid)).toEqual([])
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stdout).toBe('')
  return { code, stderr }
}

test('an image that does not exist', async () => {
  const { code, stderr } = await runWith({ image: 'twotoken-test/nobody-has-this' })
  expect(stderr).toContain('the image twotoken-test/nobody-has-this for the backend is not on this machine')
  expect(stderr).toContain('correct start.containers.backend.image')
  expect(code).toBe(2)
})

test('an image that exits at once: its last lines, redacted', async () => {
  const image = await scriptImage('exits', `console.error('no database; my key is ${key}'); process.exit(3)`)
  const { code, stderr } = await runWith({ image })
  expect(stderr).toContain(
    `the backend's container (image ${image}) exited with code 3; expected it to keep running`,
  )
  expect(stderr).toContain('  | no database; my key is ‹api-key')
  expect(stderr).not.toContain(key)
  expect(code).toBe(2)
})

test('an image whose program does not exist', async () => {
  const { code, stderr } = await runWith({ image: 'twotoken-test/exits', env: { PATH: '/nowhere' } })
  expect(stderr).toMatch(
    /the backend's container \(image .*\) cannot be started: .*: check the image with "docker run /,
  )
  expect(code).toBe(2)
})

test('an image that never becomes healthy', async () => {
  const server = "require('http').createServer((_, s) => s.writeHead(503).end()).listen(8080)"
  const image = await scriptImage('unhealthy', `console.log('still warming up'); ${server}`)
  const patience = 2 + 4 * (await secondsOnce(image))
  const { code, stderr } = await runWith({ image, health: '/up' }, patience)
  expect(stderr).toContain(`was not ready within ${patience} s (/up returned 503)`)
  expect(stderr).toContain('  | still warming up')
  expect(code).toBe(2)
})

test.each([
  ['on another port', 'listen(9000)'],
  ['on its own loopback', "listen(8080, '127.0.0.1')"],
])('an image that listens %s', async (_, listen) => {
  const script = `require('http').createServer((_, s) => s.end()).${listen}`
  const image = await scriptImage('elsewhere', script)
  const { code, stderr } = await runWith({ image }, 3)
  expect(stderr).toContain('was not ready within 3 s')
  expect(stderr).toContain('listen on port 8080 of 0.0.0.0')
  expect(code).toBe(2)
})

test('no engine: one sentence that says what to install', async () => {
  await using place = await createWorkplace({ name: 'reference' })
  const hidden =
    'set -- unshare --mount sh -c \'mount --bind /dev/null /run/docker.sock && exec "$@"\' sh "$@"'
  const { code, stderr } = await place.start(['run', '--containers'], { prelude: hidden }).ended
  expect(stderr).toMatch(/^twotoken: no container engine responds: install .*docker\.io/m)
  expect(code).toBe(2)
})
