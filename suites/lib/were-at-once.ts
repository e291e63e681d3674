import type { Reply } from '../../src/base/http/client.ts'

type Times = Pick<Reply, 'sentAt' | 'receivedAt'>

/** Says whether two requests were under way at the same time. */
export function wereAtOnce(one: Times, other: Times): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt
}
