import type { Reply } from '../../src/base/http/client.ts'

type Times = Pick<Reply, 'sentAt' | 'receivedAt'>

export function wereAtOnce(one: Times, other: Times): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt
}
