import { expect, test } from 'vitest'
import { createWorkplace } from '../../testing/workplace.ts'
import { containerOf, leftBy } from '../testing/docker.ts'

const inContainers = { start: { containers: {} } }

test('Ctrl-C in mid-run takes everything down and keeps the results so far', async () => {
  await using place = await createWorkplace(inContainers)
  const running = place.start(['run', '--suite', 'mint,signaling'])
  await running.says('MINT-01')
  running.process.kill('SIGINT')
  const { code, stderr } = await running.ended
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(code).toBe(130)
  expect((await place.results()).interrupted).toBe(true)
  expect(await leftBy(running.process.pid)).toEqual([])
})

test('Ctrl-C while containers start leaves nothing behind', async () => {
  await using place = await createWorkplace(inContainers)
  const running = place.start(['run'])
  await containerOf('mint', running)
  running.process.kill('SIGINT')
  const { code, stderr } = await running.ended
  expect(stderr).toContain('interrupted before any requirement was judged')
  expect(code).toBe(130)
  expect(await leftBy(running.process.pid)).toEqual([])
})

test('what a killed run leaves is swept at the next start', async () => {
  await using killed = await createWorkplace(inContainers)
  const dying = killed.start(['run'])
  await dying.says('running')
  process.kill(-(dying.process.pid ?? 0), 'SIGKILL')
  await dying.ended
  expect((await leftBy(dying.process.pid)).length).toBeGreaterThan(5)

  await using place = await createWorkplace(inContainers)
  const { code, stderr } = await place.start(['run', '--only', 'MINT-01']).ended
  expect(stderr).toMatch(/removed \d+ containers, networks and volumes of a run that was killed/)
  expect(code).toBe(0)
  expect(await leftBy(dying.process.pid)).toEqual([])
})
