import { expect, test } from 'vitest'
import { startReference } from '../../../fixtures/stack.ts'
import { createWorkplace } from '../testing/workplace.ts'

test('tells a client that is a program one story, and shows its exchanges', async () => {
  const variant = {
    client: { form: 'program', variant: 'falls back on its last token after three' },
  } as const
  await using broken = await startReference({ withClient: true, variant })
  await using workplace = await createWorkplace(broken.written)
  const good = { backend: 'a token', signaling: 'accepts' }
  const failing = { backend: '500', signaling: 'refuses' }
  const refuse = { does: 'refuse', ...good }
  const steps = [refuse, refuse, { does: 'drop', ...failing }, { does: 'wait', seconds: 2, ...failing }]
  const story = { role: 'client', breaks: 'EXP-36', opening: '', told: [], steps }
  await workplace.write('story.json', JSON.stringify(story))
  const replay = ['explore', 'client', '--replay', 'story.json', '--config', 'twotoken.yaml']
  const { code, stdout } = await workplace.start(replay).ended
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'alice signed in and is connected. 1. signaling rejects the open connection as 401',
  )
  expect(code).toBe(1)
  const { checks, exchanges } = await workplace.results()
  expect(checks).toMatchObject([{ id: 'EXP-36', verdict: 'fail' }])
  const known = new Set(exchanges.map(({ id }) => id))
  const shown = checks.flatMap(({ findings, story: told }) => [
    ...findings.flatMap(({ evidence }) => evidence),
    ...(told?.told ?? []).flatMap(({ evidence }) => evidence),
  ])
  expect(shown).not.toEqual([])
  expect(shown.filter((id) => !known.has(id))).toEqual([])
})
