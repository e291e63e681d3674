import { beginningOf, type Journal } from '../../base/evidence/exchange.ts'
import { serveJson } from '../../base/http/serve-json.ts'
import { Untested } from '../../base/inconclusive.ts'
import type { RecordedHop } from './kept-exchanges.ts'
import type { RecordingProxy } from './recording-proxy.ts'

/** Serves recorded hops to the process that judges, which begins after the proxies and ends before them. */
export function serveHops(proxies: readonly RecordingProxy[]) {
  return serveJson(() => readProxies(proxies))
}

/** Data that crosses to the process that judges. */
interface ServedHops {
  /** In the order in which they were recorded. */
  readonly hops: readonly RecordedHop[]
  /** The number of exchanges that are not kept whole. */
  readonly cut: number
}

function readProxies(proxies: readonly RecordingProxy[]): ServedHops {
  return {
    hops: proxies.flatMap((proxy) => proxy.hops()).toSorted((left, right) => left.number - right.number),
    cut: proxies.reduce((sum, proxy) => sum + proxy.cut(), 0),
  }
}

export type RecordedHops = ReturnType<typeof createRecordedHops>

const shownCharacters = 4096

/** The conversations between parts that do not go through the suite's doubles. */
export function createRecordedHops(url: string, journal: Journal) {
  /** In the order of the hops, whose list only grows. */
  const exchanges: string[] = []
  return {
    /**
     * Every hop so far, with the exchange by which a finding refers to it.
     * @throws Untested where the proxies could not keep everything: what is not kept cannot be searched
     */
    async read(): Promise<readonly (RecordedHop & { readonly exchange: string })[]> {
      const response = await fetch(url)
      const { hops, cut } = (await response.json()) as ServedHops
      if (cut > 0)
        throw new Untested(
          `the recording proxies could not keep ${cut} exchanges whole, so they cannot be searched; expected at most 2,000 exchanges with bodies of at most 1 MB`,
        )
      return hops.map((one, index) => {
        const exchange = exchanges[index] ?? recordHop(one, journal)
        exchanges[index] = exchange
        return { ...one, exchange }
      })
    },
  }
}

function recordHop(
  {
    from,
    to,
    method,
    target,
    requestHeaders,
    requestBody,
    status,
    responseHeaders,
    responseBody,
  }: RecordedHop,
  journal: Journal,
): string {
  const lowerCase = (headers: RecordedHop['requestHeaders']) =>
    headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  return journal.record({
    kind: 'http',
    from,
    to,
    at: 0,
    durationMs: 0,
    request: {
      method,
      url: target,
      headers: lowerCase(requestHeaders),
      body: beginningOf(requestBody, shownCharacters),
    },
    ...(status === 0
      ? { failure: 'no answer' }
      : {
          response: {
            status,
            statusText: '',
            headers: lowerCase(responseHeaders),
            body: beginningOf(responseBody, shownCharacters),
          },
        }),
    notes: ['recorded by a proxy between the two'],
  })
}
