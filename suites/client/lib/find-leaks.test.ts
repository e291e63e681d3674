import { expect, test } from 'vitest'
import type { CapturedText } from '../../../src/roles/client/types.ts'
import { findLeaks } from './find-leaks.ts'

const key = 'ac_live_q7Wd0Zk3xTn5Rb8Ym1LcFd4Jx8Sv'
const shown = (text: string, name = 'console'): CapturedText => ({
  place: 'console',
  name,
  text,
  exchange: '',
})

test('a text that costs more than it is worth is not read whole, and says why', async () => {
  const searched = await findLeaks([shown('ac_live_'.repeat(20_001)), shown(`a ${key}`)])
  expect(searched.map(({ unread }) => unread)).toEqual(['more places to look at than the limits allow', null])
  expect(searched[1]?.leaks).toHaveLength(1)
})
