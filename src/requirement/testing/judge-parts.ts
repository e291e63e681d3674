import type { AnyCheck } from '../define.ts'
import { createJudge } from '../judge.ts'

/** Runs a check on given parts and returns its verdict. */
export async function judgeParts(check: AnyCheck, parts: object) {
  const judge = createJudge(check.level)
  await check.run(parts as never, judge)
  return judge.conclude()
}
