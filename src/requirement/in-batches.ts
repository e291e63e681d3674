/** Sends a few at a time: all at once may be an overload, which says nothing about what was sent. */
export async function inBatches<Item, Sent>(
  items: readonly Item[],
  size: number,
  send: (item: Item) => Promise<Sent>,
): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let start = 0; start < items.length; start += size)
    sent.push(...(await Promise.all(items.slice(start, start + size).map(send))))
  return sent
}

/** A server with few workers answers these before a client gives up. */
export const fewAtOnce = 5
