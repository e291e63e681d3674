import { expect, test } from 'vitest'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { Refusal } from '../../fixtures/mint/refusal.ts'
import { startReference } from '../../fixtures/stack.ts'
import { detect } from '../detect/detect.ts'
import { toSettings } from '../detect/write-yaml.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Detects a mint that issues tokens for these users only, and tells for whom it was asked, with and without a lifetime. */
async function detected(isKnown: (userId: string) => boolean) {
  const asked = new Set<string>()
  const userId = (value: unknown) => {
    const wanted = referenceMintPolicy.userId(value)
    asked.add(wanted)
    if (!isKnown(wanted)) throw new Refusal(400, 'invalid_user_id', 'no such user')
    return wanted
  }
  await using reference = await startReference({ withoutDouble: true, variant: { mint: { userId } } })
  const detection = await detect(reference.configuration, { parts: ['mint'] })
  return {
    detection,
    asked: [...asked],
    settings: toSettings(detection).filter(({ key }) => key === 'userIds'),
  }
}

test('a mint that knows UUIDs only is found out with one refused user', async () => {
  const { detection, asked, settings } = await detected((userId) => uuid.test(userId))
  expect(detection.mint).toMatchObject({ found: { takesUuidsOnly: true } })
  expect(settings).toEqual([{ part: 'mint', key: 'userIds', value: { pattern: 'uuid' } }])
  expect(asked.filter((userId) => !uuid.test(userId))).toHaveLength(1)
})

test('a mint that takes any user is not asked for UUIDs', async () => {
  const { settings, asked } = await detected(() => true)
  expect(settings).toEqual([])
  expect(asked.filter((userId) => uuid.test(userId))).toEqual([])
})

test('a mint that knows none of them is reported as it answered', async () => {
  const { detection, asked } = await detected(() => false)
  expect(detection.mint).toEqual({ missing: 'the mint returned 400 for an ordinary request' })
  expect(asked).toHaveLength(2)
})
