import { expect, test } from 'vitest'
import type { Conforming } from '../../fixtures/conforming.ts'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import { detect } from '../../src/detect/detect.ts'
import { runCheck, sortByTurn } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

// A service is judged by what was detected of it, and no conforming one fails.

const checks = (await loadCatalogue()).filter(
  ({ role, stage, id }) => role === 'signaling' && stage !== 'expiry' && id < 'SIG-09',
)
const { conforming } = await loadVariants()

test.concurrent.each([
  'reference',
  'signaling/token by header, refused by an HTTP status',
  'signaling/token by cookie, refused by a close code',
  'signaling/token by query, refused by an error frame',
  'signaling/token asked for by a greeting',
  'signaling/refused as 403',
])('no conforming service fails by its detected profile: %s', async (name) => {
  const { variant, expected = {} }: Conforming = conforming.get(name) ?? { variant: {} }
  await using reference = await startReference({ variant, withoutDouble: true })
  const { signaling, ...others } = reference.configuration
  if (signaling === undefined) throw new Error(`${name} has no signaling`)
  const { access: _, ...unknown } = signaling
  const detected = await detect({ ...others, signaling: unknown })
  if ('missing' in detected.signaling) throw new Error(detected.signaling.missing)
  const { profile } = detected.signaling.found
  await using session = await openSession({ ...others, signaling: { ...unknown, access: { profile } } })
  const results = await Promise.all(sortByTurn(checks).map((check) => runCheck(check, session)))
  // A detected profile cannot know whether clients take a 403 for a 401, and a place may exist although none was found.
  const besides = { ...(profile.unauthorized.length === 0 ? { 'SIG-08': 'warn' } : {}), ...expected }
  const isRight = ({ id, verdict }: (typeof results)[number]) =>
    verdict === (Object.entries(besides).find(([one]) => one === id)?.[1] ?? verdict) &&
    (id in besides || verdict !== 'warn') &&
    (verdict !== 'untested' || (id === 'SIG-05' && profile.declaredUser.in === 'none')) &&
    verdict !== 'fail' &&
    verdict !== 'error'
  expect(results.length).toBeGreaterThan(5)
  expect(results.filter((result) => !isRight(result)).map(({ id, reason }) => `${id} ${reason}`)).toEqual([])
})

test('signaling is never offered the API key', async () => {
  const seen: string[] = []
  await using reference = await startReference({
    withoutDouble: true,
    variant: {
      signaling: {
        carriage: { in: 'cookie', name: 'calling_token' },
        handshake(request) {
          seen.push(`${request.url} ${request.rawHeaders.join(' ')}`)
          return 'upgrade'
        },
      },
    },
  })
  const { signaling: _, ...others } = reference.configuration
  const { url } = reference.signaling
  const detected = await detect({ ...others, signaling: { url, allowInsecureTransport: false } })
  expect(detected.signaling).toMatchObject({ found: { profile: { carriage: { in: 'cookie' } } } })
  expect(seen.length).toBeGreaterThan(30)
  expect(seen.filter((text) => text.includes('ac_live_'))).toEqual([])
})
