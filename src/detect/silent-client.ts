import type { MessageSign } from '../roles/signaling/types.ts'
import { GivenUp } from './budget.ts'
import { greetingSign } from './classify-outcomes.ts'
import { knownSubprotocols } from './known-names.ts'
import type { Pace, Prober, Trace } from './prober.ts'

/** What a service does with a client that offers nothing: everything else is compared with it. */
export interface Baseline {
  readonly traces: readonly Trace[]
  /** How it ends; null where such a client is left alone. */
  readonly end: Trace['end']
  /** How long an attempt has to be watched until what becomes of it can be seen. */
  readonly windowMs: number
  /** Sent to everybody who connects. */
  readonly greeting: MessageSign | null
  /** What has to be offered for the service to speak at all. */
  readonly subprotocols: readonly string[]
}

const shortestMs = 700

export async function baselineOf(
  url: string,
  prober: Prober,
  { baselineMs, silenceMs }: Pace,
): Promise<Baseline> {
  const bare = { url, headers: [], protocols: [], messages: [], after: 'open' } as const
  const watch = { windowMs: baselineMs }
  const [first, second, offered] = await Promise.all([
    prober.probe(bare, watch),
    prober.probe(bare, watch),
    prober.probe({ ...bare, protocols: knownSubprotocols }, watch),
  ])
  for (const { isReached, end } of [first, second])
    if (!isReached) throw new GivenUp(`signaling ${end?.text ?? 'could not be reached'}`)
  const [nobodys] = knownSubprotocols
  const isChosen = offered.protocol !== '' && offered.protocol !== nobodys
  const traces = isChosen ? [offered] : [first, second]
  const end = traces[0]?.end ?? null
  const lastMs = Math.max(...traces.map((trace) => trace.lastMs))
  return {
    traces,
    end,
    windowMs: end === null ? silenceMs : Math.max(shortestMs, Math.round(lastMs * 1.5 + 300)),
    greeting: greetingSign(traces),
    subprotocols: isChosen ? [offered.protocol] : [],
  }
}
