import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('run --blame names the part at fault beside the same verdict, with what was replaced', async () => {
  await using reference = await startReference({
    variant: { backend: { mintDeadlineMs: 7_500, userId: ({ userId }) => `user:${userId}` } },
  })
  await using place = await createWorkplace(reference.written)
  const { code, stdout, stderr } = await place.start(['run', '--blame', '--only', 'FLOW-01,MINT-04']).ended
  const { checks, outcome } = await place.results()
  expect({ code, outcome }).toEqual({ code: 1, outcome: 'nonconformant' })
  const [mint, flow] = checks
  expect(mint).toMatchObject({ id: 'MINT-04', verdict: 'pass' })
  expect(mint).not.toHaveProperty('blame')
  expect(flow).toMatchObject({
    id: 'FLOW-01',
    verdict: 'fail',
    blame: {
      conclusion: 'part',
      parts: ['backend'],
      tries: [
        { replaced: [], verdict: 'fail' },
        { replaced: ['mint'], verdict: 'fail' },
        { replaced: ['backend'], verdict: 'pass' },
        { replaced: ['signaling'], verdict: 'fail' },
      ],
    },
  })
  expect(stderr).toContain('judging violations again: the reference as backend')
  expect(stdout).toContain('FLOW-01   It heals with the reference as backend, and as no other part')
  expect(stdout).toMatch(/reference as backend +pass/)
  expect(await place.read('report.html')).toContain('<table class="blame">')
})

test('an interruption while violations are judged again keeps their verdicts', async () => {
  await using reference = await startReference({
    variant: { backend: { mintDeadlineMs: 7_500, userId: ({ userId }) => `user:${userId}` } },
  })
  await using place = await createWorkplace(reference.written)
  const running = place.start(['run', '--blame', '--only', 'FLOW-01'])
  await running.says('judging violations again', 'reference as mint')
  running.process.kill('SIGINT')
  const { code, stderr } = await running.ended
  expect(stderr).toContain('--blame was interrupted: the verdicts stay, without the part at fault')
  const { checks, outcome } = await place.results()
  expect({ code, outcome }).toEqual({ code: 130, outcome: 'nonconformant' })
  expect(checks).toMatchObject([{ id: 'FLOW-01', verdict: 'fail' }])
})

test('run --blame counts no tokens, so it takes no limit on them', async () => {
  await using reference = await startReference()
  await using place = await createWorkplace(reference.written)
  const { code, stderr } = await place.start(['run', '--blame', '--max-mints', '10']).ended
  expect(stderr).toContain('--blame cannot be combined with --max-mints')
  expect(code).toBe(2)
})
