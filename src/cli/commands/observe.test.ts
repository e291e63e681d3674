import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('a device is judged from its traffic, step by step', async () => {
  await using reference = await startReference({
    variant: {
      configuration: {
        client: { observe: { listen: '127.0.0.1:19471' }, users: { alice: { userId: 'u-1' } } },
      },
    },
  })
  await using place = await createWorkplace(reference.written)
  const run = place.start(['run', '--observe', '--only', 'CLI-01'])
  const enter = () => run.process.stdin?.write('\n')
  await run.says('token route  http://127.0.0.1:19471/calling/token', 'Restart the app')
  enter()
  await run.says('Sign in as alice (userId u-1)')
  enter()
  await run.says('Connect now')
  const answer = await fetch('http://127.0.0.1:19471/calling/token', {
    method: 'POST',
    headers: { authorization: 'Bearer session-of-a-device' },
  })
  expect(await answer.json()).toMatchObject({ token: expect.stringMatching(/^ey/) })
  const { code, stdout } = await run.ended
  expect(stdout).toContain('1 pass')
  expect(code).toBe(0)
})
