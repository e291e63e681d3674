import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createWorkplace } from '../testing/workplace.ts'
import { leftBy, scriptImage } from './testing/docker.ts'

// The stack of docker-compose.yml judges itself in the gate, by the commands of `docs/containers.md`.

const answering = `require('http').createServer((_, s) => s.writeHead(404).end()).listen(8080)`
const port = 20_000 + (process.pid % 10_000)

async function composed(services: object, rest: object = {}) {
  const place = await createWorkplace({
    mint: { url: `http://127.0.0.1:${port}`, apiKey: `ac_live_${'Zq81'.repeat(10)}` },
    start: { compose: 'compose.yml', readyTimeoutSeconds: 15 },
    ...rest,
  })
  await place.write('compose.yml', stringify({ services }))
  return place
}

test("a user's compose file is brought up, judged and taken down with its volumes", async () => {
  const image = await scriptImage('answers', answering)
  const mint = { image, ports: [`127.0.0.1:${port}:8080`], volumes: ['data:/data'], stop_grace_period: '0s' }
  await using place = await composed({ mint })
  await place.write('compose.yml', stringify({ services: { mint }, volumes: { data: {} } }))
  const running = place.start(['run', '--only', 'MINT-01', '--keep-going'])
  const { code } = await running.ended
  expect(code).toBe(1)
  expect((await place.results()).parts).toMatchObject([{ part: 'mint', image, state: 'running' }])
  expect(await leftBy(running.process.pid)).toEqual([])
})

const dying = "console.log('out of luck'); process.exit(4)"
const impatient = { start: { compose: 'compose.yml', readyTimeoutSeconds: 3 } }

test.each([
  ['is not a valid compose file', async () => composed({ mint: { imagine: 'this' } })],
  ['is not a valid compose file', async () => composed({}, { start: { compose: 'nowhere.yml' } })],
  ['did not start', async () => composed({ mint: { image: await scriptImage('dies', dying) } })],
  [
    // For Compose it has started.
    'did not start',
    async () => {
      const image = await scriptImage('dies-later', `setTimeout(() => { ${dying} }, 2000)`)
      return composed({ mint: { image } })
    },
  ],
  [
    'started, but did not respond within 3 s at mint.url',
    async () => composed({ mint: { image: await scriptImage('answers', answering) } }, impatient),
  ],
])('a compose file that %s is one sentence', async (said, make) => {
  await using place = await make()
  const running = place.start(['run', '--suite', 'mint'])
  const { code, stdout, stderr } = await running.ended
  expect(stderr).toContain(`start.compose ${said}`)
  if (said === 'did not start') expect(stderr).toContain('  | out of luck')
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(await leftBy(running.process.pid)).toEqual([])
})
