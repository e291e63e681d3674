import { expect, test } from 'vitest'
import { judgeParts } from '../../src/requirement/testing/judge-parts.ts'
import type { CapturedText, Place } from '../../src/roles/client/types.ts'
import neverCallsTheMint from './never-calls-the-mint.ts'

// On a busy machine, a request may not have arrived when the journey ends: it has no exchange, and counts all the same.

const key = 'ac_live_q7Wd0Zk3xTn5Rb8Ym1LcFd4Jx8Sv'

async function judged(place: Place) {
  const captured: CapturedText[] = [
    { place, name: 'https://metrics.test/', text: `x-key: ${key}`, exchange: '' },
  ]
  const journey = { captured, requests: [], unreadHosts: [], notAsked: null, notAttempted: null }
  const parts = {
    client: { seesEverything: true },
    journey: async () => journey,
    configuration: { mint: {}, bundle: undefined },
  }
  return (await judgeParts(neverCallsTheMint, parts)).verdict
}

test('a key in a request that has not arrived yet is a violation', async () => {
  expect(await judged('other hosts')).toBe('fail')
})

test('a key in a script of the page is no request', async () => {
  expect(await judged('page or script')).toBe('pass')
})
