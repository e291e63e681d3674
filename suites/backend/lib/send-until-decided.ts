import type { Reply } from '../../../src/base/http/client.ts'
import type { Backend } from '../../../src/roles/backend/driver.ts'

/** So many requests without a response, however often they are sent, say that others will have none either. */
const mostSilent = 3
/** On a busy machine, a backend passes the deadline of its mint call also when it is asked for one token at a time. A dead node is met several times. */
const mostResends = 3

/**
 * Sends requests all at once, and each that met an overload again, one after the other: it may have been the overload of all
 * at once.
 */
export async function sendUntilDecided<Item, Sent extends { readonly reply: Reply }>(
  { wait }: Pick<Backend, 'wait'>,
  items: readonly Item[],
  send: (item: Item) => Promise<Sent>,
  isUndecided: (sent: Sent, item: Item) => boolean,
): Promise<Sent[]> {
  const atOnce = await Promise.all(items.map(async (item) => ({ item, first: await send(item) })))
  const decided: Sent[] = []
  let silent = 0
  for (const { item, first } of atOnce) {
    let sent = first
    const most = first.reply.kind === 'no-answer' && !wait.isOftenSilent() ? 1 : mostResends
    for (let more = 0; more < most && isUndecided(sent, item) && silent < mostSilent; more += 1)
      sent = await send(item)
    if (sent.reply.kind === 'no-answer' && isUndecided(sent, item)) silent += 1
    decided.push(sent)
  }
  return decided
}
