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

test('each text has its own leaks, of which an audit is certain', async () => {
  const captures = [shown(`a ${key}`), shown('nothing'), shown(`a ${key}`)]
  const searched = await findLeaks(captures)
  expect(searched.map(({ capture, leaks }) => [capture, leaks.map(({ kind }) => kind)])).toEqual([
    [captures[0], ['key']],
    [captures[1], []],
    [captures[2], ['key']],
  ])
})

test('a text that costs more than it is worth is not read whole, and says why', async () => {
  const searched = await findLeaks([shown('ac_live_'.repeat(20_001)), shown(`a ${key}`)])
  expect(searched.map(({ unread }) => unread)).toEqual(['more places to look at than the limits allow', null])
  expect(searched[1]?.leaks).toHaveLength(1)
})
