import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('tells a client that is a program one story again, and accuses it of nothing', async () => {
  await using reference = await startReference({ withClient: true, variant: { client: { form: 'program' } } })
  await using workplace = await createWorkplace(reference.written)
  const good = { backend: 'a token', signaling: 'accepts' }
  const failing = { backend: '500', signaling: 'refuses' }
  const refuse = { does: 'refuse', ...good }
  const steps = [refuse, { does: 'drop', ...failing }, { does: 'wait', seconds: 1, ...failing }]
  const story = { role: 'client', breaks: 'EXP-36', opening: '', told: [], steps }
  await workplace.write('story.json', JSON.stringify(story))
  const replay = ['explore', 'client', '--replay', 'story.json', '--config', 'twotoken.yaml']
  const { code, stdout } = await workplace.start(replay).ended
  expect(stdout).toContain('reference is conformant')
  expect(code).toBe(0)
  const { checks } = await workplace.results('explore-client')
  expect(checks).toMatchObject([{ id: 'EXP-36', verdict: 'pass', observations: { stories: 1 } }])
})
