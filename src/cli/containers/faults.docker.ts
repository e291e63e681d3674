import { expect, test } from 'vitest'
import { createWorkplace, type Workplace } from '../testing/workplace.ts'
import { containerOf, docker, leftBy, pause } from './testing/docker.ts'

/** As short as they can be while no server answers, and still no hang of a healthy part on a busy machine. */
const quick = {
  start: { containers: {} },
  limits: { requestSeconds: 4, backendAnswerSeconds: 5, patienceSeconds: 1 },
}
async function disturbed(
  place: Workplace,
  args: readonly string[],
  part: string,
  disturb: (container: string) => Promise<unknown>,
) {
  const running = place.start(['run', ...args])
  const { pid } = running.process
  // The first verdict: others are under way by then. That of the mint comes while other lanes wait for an expiry.
  await running.says('pass  ')
  await disturb(await containerOf(part, running))
  const ended = await running.ended
  expect(ended.stderr).not.toMatch(/^\s+at /m)
  expect(await leftBy(pid)).toEqual([])
  const results = await place.results()
  return { ...ended, ...results, report: results.parts?.find((one) => one.part === part) }
}

test('a mint that is killed in a burst: the verdicts say so', async () => {
  await using place = await createWorkplace(quick)
  const run = await disturbed(place, ['--suite', 'mint,signaling,flow'], 'mint', (id) => docker('kill', id))
  expect(run.code).not.toBe(0)
  expect(run.report?.state).toBe('exited with code 137')
  expect(run.stderr).toContain('meanwhile the mint exited with code 137')
  const told = run.checks.filter(({ reason }) => reason?.includes('the mint exited with code 137') === true)
  expect(told.length).toBeGreaterThan(0)
  expect(run.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0)
})

test('signaling that is paused while users come back: no hang', async () => {
  await using place = await createWorkplace(quick)
  const args = ['--only', 'SIG-06,SIG-07,SIG-02,FLOW-03']
  const run = await disturbed(place, args, 'signaling', pause)
  expect(run.code).not.toBe(0)
  expect(run.report).toMatchObject({ state: 'paused' })
  expect(run.checks.map(({ verdict }) => verdict)).not.toContain('fail')
})
