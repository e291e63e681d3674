import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { createJudge } from '../../src/requirement/judge.ts'
import sig32 from '../../suites/signaling/serves-users-during-refusals.ts'

test('a token that fails to come during the rejections ends SIG-32 alone, not the process', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  let issued = 0
  const fresh = async () => {
    issued += 1
    if (issued > 4) throw new ControlLost('the mint did not answer within 1 s')
    return { jwt: 'a.b.c', userId: 'u-1' }
  }
  const attempt = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return { outcome: 'refused' }
  }
  const parts = {
    callingTokens: { fresh },
    signaling: { join: async () => ({ outcome: 'accepted', startedAt: 0, decidedAt: 1 }), attempt },
    clock: systemClock,
  }
  await expect(sig32.run(parts as never, createJudge('ADVISORY'))).rejects.toThrow(ControlLost)
  expect(unhandled).toEqual([])
})
