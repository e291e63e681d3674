import type { AnyCheck } from '../define.ts'
import { createJudge } from '../judge.ts'

/** What a check judges of these parts, which stand for those of a run. */
export async function judgeParts(check: AnyCheck, parts: object) {
  const judge = createJudge(check.level)
  await check.run(parts as never, judge)
  return judge.conclude()
}
