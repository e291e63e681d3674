import type { Reply } from '../../../src/base/http/client.ts'
import { isSilent } from './describe-reply.ts'

/** A server that drops requests answers an ordinary one so many times as fast as they were waited for. */
const timesFaster = 2

/** Says whether a server drops the requests that met silence, as this answer to an ordinary one shows: it is not slow for all. */
export function areDropped(replies: readonly Reply[], ordinary: Reply): boolean {
  const waitedMs = Math.min(...replies.filter(isSilent).map(({ sentAt, receivedAt }) => receivedAt - sentAt))
  return ordinary.kind === 'answer' && ordinary.receivedAt - ordinary.sentAt < waitedMs / timesFaster
}
