import { expect, test } from 'vitest'
import { createWorkplace } from '../testing/workplace.ts'
import { containerOf, docker, leftBy, scriptImage } from './testing/docker.ts'

/** A server that first does what only a capability allows: it gives a file to another user. */
const givingAway = `require('fs').chownSync('/tmp', 1234, 1234); require('http').createServer((_, s) => s.end()).listen(8080)`

function withBackend(image: string, change: object = {}) {
  return {
    name: 'confined',
    start: { containers: { backend: { image, port: 8080, ...change } } },
    backend: { url: 'http://backend/token' },
  }
}

test('what runs in a container has no capabilities, gains no privileges, and has bounds', async () => {
  await using place = await createWorkplace({ name: 'reference' })
  const running = place.start(['run', '--containers', '--suite', 'mint', '--no-wait'])
  const id = await containerOf('mint', running)
  const status = await docker('exec', id, 'cat', '/proc/1/status')
  expect(status).toMatch(/^CapBnd:\s*0+$/m)
  expect(status).toMatch(/^CapEff:\s*0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\s*1$/m)
  const [{ HostConfig }] = JSON.parse(await docker('inspect', id))
  expect(HostConfig).toMatchObject({ Privileged: false, Memory: 512 * 1_048_576, PidsLimit: 1024 })
  expect((await running.ended).code).toBe(0)
  expect(await leftBy(running.process.pid)).toEqual([])
})

test('an image that needs a capability is told so, and gets the one that the configuration names', async () => {
  const image = await scriptImage('giving-away', givingAway)
  await using without = await createWorkplace(withBackend(image))
  const refused = await without.start(['run', '--suite', 'backend', '--no-wait']).ended
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('start.containers.backend')
  expect(refused.stderr).toContain('EPERM')

  await using allowed = await createWorkplace(withBackend(image, { capabilities: ['CHOWN'] }))
  const running = allowed.start(['run', '--suite', 'backend', '--no-wait'])
  const id = await containerOf('backend', running)
  const [{ HostConfig }] = JSON.parse(await docker('inspect', id))
  expect(HostConfig.CapDrop).toEqual(['ALL'])
  expect(HostConfig.CapAdd.map((name: string) => name.replace('CAP_', ''))).toEqual(['CHOWN'])
  expect((await running.ended).stderr).not.toContain('EPERM')
})

test('an image that fills its memory is ended, and not the machine', async () => {
  const filling = 'const all = []; for (;;) all.push(Buffer.alloc(16 * 1048576, 1))'
  const image = await scriptImage('filling', filling)
  await using place = await createWorkplace(withBackend(image, { memoryMegabytes: 128 }))
  const { code, stderr } = await place.start(['run', '--suite', 'backend', '--no-wait']).ended
  expect(code).toBe(2)
  expect(stderr).toMatch(/exited with code 137/)
})
