import { expect, test } from 'vitest'
import { deepClients } from '../../fixtures/explore/variants/client.ts'
import { clientInvariants } from '../../src/explore/client/invariants.ts'
import type { ClientStep } from '../../src/explore/client/steps.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { exploreVariant } from './prove-found.ts'

// As programs, which cost no browser: npm run proof:stories finds each deep variant in a page.
const asProgram = (variant: Variant = {}): Variant => ({ client: { ...variant.client, form: 'program' } })

const good = { backend: 'a token', signaling: 'accepts' } as const
const stories = {
  'connects by an answer that comes after a disconnect': [
    { does: 'drop', ...good, backend: 'nothing yet' },
    { does: 'disconnect' },
    { does: 'connect', times: 1, ...good, backend: 'nothing yet' },
    { does: 'disconnect' },
    { does: 'answer', which: 0, with: 'a token', signaling: 'accepts' },
  ],
  "keeps another user's token for that user": [
    { does: 'refuse', ...good },
    { does: 'refuse', ...good, backend: "another user's token" },
    { does: 'switch user', ...good },
    { does: 'connect', times: 1, ...good },
  ],
  'falls back on its last token after three': [
    { does: 'refuse', ...good },
    { does: 'refuse', ...good },
    { does: 'refuse', ...good, backend: '500' },
  ],
} as const satisfies Readonly<Record<string, readonly ClientStep[]>>

test.each(Object.entries(stories))(
  'a client that %s breaks its story, and the reference does not',
  async (name, steps) => {
    const deep = deepClients[name]
    if (deep === undefined) throw new Error(`there is no deep variant called ${name}`)
    const level = clientInvariants.find(({ id }) => id === deep.breaks)?.level
    const story: ShownStory = { role: 'client', breaks: deep.breaks, opening: '', told: [], steps }
    const [broken, reference] = await Promise.all(
      [asProgram(deep.variant), asProgram()].map((variant) =>
        exploreVariant('client', variant, { seed: 1, milliseconds: 0, replay: story }),
      ),
    )
    const found = broken?.find(({ id }) => id === deep.breaks)
    expect(found).toMatchObject({ verdict: level === 'MUST' ? 'fail' : 'warn', reason: null })
    expect(found?.story?.told.at(-1)?.evidence).not.toEqual([])
    expect(reference).toMatchObject([{ id: deep.breaks, verdict: 'pass' }])
  },
)

test('a client is explored from a seed, and what a program does not show is untested', async () => {
  const checks = await exploreVariant('client', asProgram(), { seed: 1, milliseconds: 4000 })
  expect(checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
    clientInvariants.map(({ id }) => `${id} ${id === 'EXP-31' || id === 'EXP-35' ? 'untested' : 'pass'}`),
  )
  expect(checks[0]?.observations['stories']).toBeGreaterThan(0)
})
