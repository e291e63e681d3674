import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import { detect } from '../../src/detect/detect.ts'
import { createAdaptiveSlots } from '../variants/adaptive-slots.ts'
import { describeGap } from '../variants/table.ts'
import { proveDetected } from './prove-detected.ts'

// A slice: npm run proof:detect judges every conforming service by what was detected of it, expiry included.
const slice = [
  'signaling/token by header, refused by an HTTP status',
  'signaling/token by cookie, refused by a close code',
  'signaling/token by query, refused by an error frame',
  'signaling/user declared beside the token in a message',
  'signaling/user declared beside the token in a header',
  'signaling/token asked for by a greeting',
  'signaling/refused as 403',
]
const checks = (await loadCatalogue()).filter(
  ({ role, phase, id }) => role === 'signaling' && phase !== 'expiry' && id < 'SIG-09',
)
const { conforming } = await loadVariants()
const slots = createAdaptiveSlots({ first: 2, most: 8 })

test.concurrent.each(['reference', ...slice])(
  'no conforming service fails by its detected profile: %s',
  async (name) => {
    const variant = name === 'reference' ? { variant: {} } : conforming.get(name)
    if (variant === undefined) throw new Error(`there is no variant ${name}`)
    const { profile, cells } = await slots.run(() => proveDetected(checks, name, variant))
    expect(profile).not.toBeNull()
    expect(cells.length).toBeGreaterThan(5)
    expect(cells.filter(({ holds }) => !holds).map(describeGap)).toEqual([])
  },
)

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
  const { signaling, ...others } = reference.configuration
  const { access: _, ...unknown } = {
    ...signaling,
    url: reference.signaling.url,
    allowInsecureTransport: false,
  }
  const found = await detect({ ...others, signaling: unknown })
  expect(found.signaling).toMatchObject({ found: { profile: { carriage: { in: 'cookie' } } } })
  expect(found.mint).toMatchObject({
    found: { floorSeconds: 1, ceilingSeconds: 3600, defaultTtlSeconds: 900 },
  })
  expect(seen.length).toBeGreaterThan(30)
  expect(seen.filter((text) => text.includes('ac_live_'))).toEqual([])
})
