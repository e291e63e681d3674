import type { Party } from '../../base/evidence/exchange.ts'

/** A request from one part to another, and its answer, with secrets. */
export interface RecordedHop {
  /** Counts over all proxies of a process. */
  readonly number: number
  readonly from: Party
  readonly to: Party
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly requestHeaders: readonly (readonly [name: string, value: string])[]
  readonly requestBody: string
  /** 0 where there was no answer. */
  readonly status: number
  readonly responseHeaders: readonly (readonly [name: string, value: string])[]
  readonly responseBody: string
}

/** An exchange that goes on. It is kept from its answer on; what comes later is added to it. */
export type OpenExchange = ReturnType<ReturnType<typeof keepExchanges>['begin']>

export interface Bounds {
  readonly exchanges: number
  readonly bodyBytes: number
  /** Bound for everything. */
  readonly bytes: number
}

const usualBounds: Bounds = { exchanges: 2_000, bodyBytes: 1_048_576, bytes: 64 * 1_048_576 }
let count = 0

/** Keeps exchanges that pass a proxy: nothing before an answer begins, and nothing beyond the bounds. */
export function keepExchanges(from: Party, to: Party, bounds: Bounds = usualBounds) {
  const kept: (() => RecordedHop)[] = []
  let bytes = 0
  let cut = 0

  return {
    hops: (): readonly RecordedHop[] => kept.map((read) => read()),
    /** Exchanges of which not everything is kept: more than the bounds was sent. */
    cut: () => cut,
    begin({ method, target, requestHeaders }: Pick<RecordedHop, 'method' | 'target' | 'requestHeaders'>) {
      const request = emptyBody()
      const response = emptyBody()
      let isAnswered = false
      let isCut = false

      const markCut = () => {
        if (!isCut) cut += 1
        isCut = true
      }
      const keep = (body: KeptBody, chunk: Buffer) => {
        const room = Math.max(0, Math.min(bounds.bodyBytes - body.size, bounds.bytes - bytes))
        if (chunk.byteLength > room) markCut()
        const part = chunk.byteLength > room ? Buffer.from(chunk.subarray(0, room)) : chunk
        body.chunks.push(part)
        body.size += part.byteLength
        bytes += part.byteLength
      }
      return {
        keepRequest: (chunk: Buffer) => keep(request, chunk),
        keepResponse: (chunk: Buffer) => keep(response, chunk),
        /** The answer's status and headers, or 0 where there is none. The first call counts. */
        answer(status: number, responseHeaders: RecordedHop['responseHeaders']) {
          if (isAnswered) return
          isAnswered = true
          const size = target.length + lengthOf(requestHeaders) + lengthOf(responseHeaders)
          if (kept.length >= bounds.exchanges || bytes + size > bounds.bytes) return markCut()
          bytes += size
          const head = { number: ++count, from, to, method, target, requestHeaders, status, responseHeaders }
          kept.push(() => ({ ...head, requestBody: textOf(request), responseBody: textOf(response) }))
        },
      }
    },
  }
}

interface KeptBody {
  readonly chunks: Buffer[]
  size: number
}

function emptyBody(): KeptBody {
  return { chunks: [], size: 0 }
}

function textOf({ chunks }: KeptBody): string {
  return Buffer.concat(chunks).toString('utf8')
}

function lengthOf(headers: RecordedHop['requestHeaders']): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
}
