import type { Reply } from '../../../src/base/http/client.ts'
import { isSilent } from './describe-reply.ts'

/** So many requests without a response, however often they are sent, say that others will have none either. */
const mostSilent = 3
/** On a busy machine, a backend passes the deadline of its mint call also when it is asked for one token at a time. */
const mostResends = 3
/** Then the others are sent again so many at a time. */
const atOnceAgain = 5
/** A server that drops requests answers an ordinary one so many times as fast as they were waited for. */
const timesFaster = 2

/**
 * Sends requests all at once, and each that met an overload again, one after the other: it may have been the overload of all
 * at once. Where several are silent again, the rest is sent again a few at a time.
 */
export async function sendUntilDecided<Item, Sent extends { readonly reply: Reply }>(
  items: readonly Item[],
  send: (item: Item) => Promise<Sent>,
  isUndecided: (sent: Sent, item: Item) => boolean,
): Promise<Sent[]> {
  const tried = await Promise.all(items.map(async (item) => ({ item, sent: await send(item) })))
  const open = tried.filter(({ item, sent }) => isUndecided(sent, item))
  let silent = 0
  while (open.length > 0 && silent < mostSilent) {
    const [one] = open.splice(0, 1)
    if (one === undefined) break
    const most = one.sent.reply.kind === 'no-answer' ? 1 : mostResends
    for (let more = 0; more < most && isUndecided(one.sent, one.item); more += 1)
      one.sent = await send(one.item)
    if (one.sent.reply.kind === 'no-answer' && isUndecided(one.sent, one.item)) silent += 1
  }
  const sendAgain = async (one: (typeof open)[number]) => {
    one.sent = await send(one.item)
  }
  while (open.length > 0) await Promise.all(open.splice(0, atOnceAgain).map(sendAgain))
  return tried.map(({ sent }) => sent)
}

/** Says whether a server drops the requests that met silence, as this answer to an ordinary one shows: it is not slow for all. */
export function areDropped(replies: readonly Reply[], ordinary: Reply): boolean {
  const waitedMs = Math.min(...replies.filter(isSilent).map(({ sentAt, receivedAt }) => receivedAt - sentAt))
  return ordinary.kind === 'answer' && ordinary.receivedAt - ordinary.sentAt < waitedMs / timesFaster
}
