import type { PackedExchanges } from '../run/html/exchanges.ts'

/** The markup of each exchange, as the script of the page puts it together. */
export function unpackExchanges({ pieces, exchanges }: PackedExchanges): [id: string, markup: string][] {
  return exchanges.map(([id, places]) => [
    id,
    places
      .split('|')
      .map((place) => pieces[Number(place)])
      .join(''),
  ])
}
