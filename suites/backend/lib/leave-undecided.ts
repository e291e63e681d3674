import type { Reply } from '../../../src/base/http/client.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import { isSilent } from './describe-reply.ts'

/**
 * Leaves a request undecided that met silence: nothing bad was seen, since nothing was. Returns whether it did.
 * @param when ends the sentence: "for a request with …", "when the mint …"
 */
export function leaveUndecided(judge: Judge, reply: Reply, when: string): boolean {
  if (!isSilent(reply)) return false
  judge.undecided(`no response ${when}`, [reply.exchange])
  return true
}
