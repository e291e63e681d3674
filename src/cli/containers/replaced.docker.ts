import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createWorkplace } from '../testing/workplace.ts'
import { docker, leftBy } from './testing/docker.ts'

const image = 'twotoken-test/python-backend'

beforeAll(async () => {
  const folder = join(import.meta.dirname, '../../../fixtures/python')
  await docker('build', '--quiet', '--build-arg', 'PYTHON_IMAGE', '--tag', image, folder)
})

function withBackend(env: Readonly<Record<string, string>>) {
  return {
    name: 'python',
    start: { containers: { backend: { image, port: 8000, health: '/up', env } } },
    backend: { url: 'http://backend/app/calling-token' },
  }
}

test('an image in another language takes the place of the backend, and conforms', async () => {
  await using place = await createWorkplace(withBackend({}))
  const running = place.start(['run', '--suite', 'mint,backend,signaling,flow,bundle'])
  const { code, stdout } = await running.ended
  expect(stdout).toContain('python is conformant')
  expect(code).toBe(0)
  const { parts = [] } = await place.results()
  expect(parts.find(({ part }) => part === 'backend')).toMatchObject({ image, state: 'running' })
  expect(await leftBy(running.process.pid)).toEqual([])
})

test('what a part prints of its requests is kept, and redacted', async () => {
  await using place = await createWorkplace(withBackend({ FAULT: 'prints' }))
  const { code, stderr } = await place.start(['run', '--only', 'BACK-01,BACK-06']).ended
  expect(stderr).not.toContain('was not written')
  expect(code).toBe(0)
  const log = await place.read('backend.log')
  expect(log).toContain('asked with Bearer ‹session')
  expect(log).not.toMatch(/ac_live_[A-Za-z0-9]{20}|eyJ[\w-]{10,}\./)
})

test('a backend that cannot be pointed elsewhere is recorded on its way to the mint', async () => {
  const absent = [{ what: 'switchableMint', reason: 'a test' }]
  await using place = await createWorkplace({ ...withBackend({ FAULT: 'forwards' }), absent })
  const { code } = await place.start(['run', '--only', 'FLOW-04,FLOW-01']).ended
  expect(code).toBe(1)
  const { checks } = await place.results()
  expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['FLOW-01', 'pass'],
    ['FLOW-04', 'fail'],
  ])
})
