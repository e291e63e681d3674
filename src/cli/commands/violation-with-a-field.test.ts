import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('a violation whose sentence shows a field of a token ends with 1, and is no leak', async () => {
  await using reference = await startReference({
    variant: { backend: { answer: (usual) => ({ ...usual, body: '{"jwt":"none"}' }) } },
  })
  await using place = await createWorkplace(reference.written)
  const { code, stdout } = await place.start(['run', '--only', 'BACK-01']).ended
  expect(stdout).toContain('expected a 2xx status and { "token": "<calling JWT>" } (4.2.5)')
  expect(code).toBe(1)
  expect(await place.results()).not.toHaveProperty('leaks')
})
