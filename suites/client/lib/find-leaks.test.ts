import { expect, test } from 'vitest'
import { findLeaks } from './find-leaks.ts'

test('a text that costs more than it is worth is not read whole, and says why', async () => {
  const common = { place: 'console', name: 'console', exchange: '' } as const
  const texts = ['ac_live_'.repeat(20_001), 'a ac_live_q7Wd0Zk3xTn5Rb8Ym1LcFd4Jx8Sv']
  const searched = await findLeaks(texts.map((text) => ({ ...common, text })))
  expect(searched.map(({ unread }) => unread)).toEqual(['more places to look at than the limits allow', null])
  expect(searched[1]?.leaks).toHaveLength(1)
})
