import type { JoinRequest } from '../roles/signaling/join-request.ts'
import type { MessageSign } from '../roles/signaling/signs.ts'
import { GivenUp } from './budget.ts'
import { findGreeting } from './classify-outcomes.ts'
import { type Entrance, enterBy, findEntrance } from './entrance.ts'
import { knownSubprotocols } from './known-names.ts'
import type { Pace, Prober, Trace } from './prober.ts'

/** The service's response to a client that offers nothing. Everything else is compared with it. */
export interface SilentClient {
  readonly traces: readonly Trace[]
  readonly end: Trace['end']
  /** How long an attempt has to be watched until its outcome shows. */
  readonly windowMs: number
  /** Sent to every client that connects. */
  readonly greeting: MessageSign | null
  /** Subprotocols without which the service does not answer. */
  readonly subprotocols: readonly string[]
  /** Without which no upgrade is completed. */
  readonly entrance: Entrance
}

const shortestMs = 700

/**
 * @param origins of pages that the service may expect its clients on
 * @throws GivenUp where signaling cannot be reached
 */
export async function observeSilentClient(
  url: string,
  prober: Prober,
  { silentClientMs, silenceMs }: Pace,
  origins: readonly string[] = [],
): Promise<SilentClient> {
  const plain = { url, headers: [], protocols: [], opening: [], messages: [], after: 'open' } as const
  const watch = { windowMs: silentClientMs }
  const observe = (join: JoinRequest) =>
    Promise.all([
      prober.probe(join, watch),
      prober.probe(join, watch),
      prober.probe({ ...join, protocols: knownSubprotocols }, watch),
    ])
  const asItIs = await observe(plain)
  const entrance = await findEntrance(plain, asItIs[0].end, { prober, origins, windowMs: silentClientMs })
  const [first, second, offered] =
    Object.keys(entrance).length === 0 ? asItIs : await observe(enterBy(entrance, plain))
  for (const { isReached, end } of [first, second])
    if (!isReached) throw new GivenUp(`signaling ${end?.text ?? 'could not be reached'}`)
  const [unknownSubprotocol] = knownSubprotocols
  const isChosen = offered.protocol !== '' && offered.protocol !== unknownSubprotocol
  const traces = isChosen ? [offered] : [first, second]
  const end = traces[0]?.end ?? null
  const lastMs = Math.max(...traces.map((trace) => trace.lastMs))
  return {
    traces,
    end,
    windowMs: end === null ? silenceMs : Math.max(shortestMs, Math.round(lastMs * 1.5 + 300)),
    greeting: findGreeting(traces),
    subprotocols: isChosen ? [offered.protocol] : [],
    entrance,
  }
}
