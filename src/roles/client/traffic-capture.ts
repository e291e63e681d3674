import { carriages } from '../signaling/carriages/registry.ts'
import type { SignalingProfile } from '../signaling/types.ts'
import type { Place, SeenRequest, Tap } from './capture-types.ts'
import type { World } from './client-world.ts'
import type { Dial } from './double-types.ts'

type Pair = readonly [name: string, value: string]

/** Everything that the client sent and loaded, sorted into places. */
export function trafficTaps(world: World): Tap[] {
  const { backend, signaling, web } = world
  const taps: Tap[] = []
  const add = (place: Place, name: string, text: string, exchange = '') => {
    if (text !== '') taps.push({ place, name, text, exchange })
  }
  for (const { url, headers, body, exchange } of backend.calls()) {
    const isBearer = ([name]: Pair) => name === 'authorization'
    add('token route: Authorization', bare(url), lines(headers.filter(isBearer)), exchange)
    const rest = [url, lines(headers.filter((pair) => !isBearer(pair))), body].join('\n')
    add('token route: elsewhere in the request', bare(url), rest, exchange)
  }
  for (const dial of signaling.dials()) {
    const { credential, rest } = splitDial(dial, world.profile)
    add('signaling: credential', bare(dial.url), credential, dial.exchange)
    add('signaling: elsewhere', bare(dial.url), rest, dial.exchange)
  }
  for (const request of web.requests()) {
    const { url, headers, body, exchange } = request
    for (const { place, text } of placesOf(request, lines(headers), body))
      add(place, bare(url), text, exchange)
  }
  for (const { url, contentType, text } of web.loaded())
    add(
      url.pathname.endsWith('.map') ? 'source map' : 'page or script',
      `${bare(url.href)} (${contentType})`,
      text,
    )
  return taps
}

function placesOf(
  { host, url }: SeenRequest,
  headers: string,
  body: string,
): { place: Place; text: string }[] {
  if (host === 'mint') return [{ place: 'mint host', text: [url, headers, body].join('\n') }]
  if (host === 'related') return [{ place: 'related hosts', text: [url, headers, body].join('\n') }]
  if (host === 'elsewhere') return [{ place: 'other hosts', text: [url, headers, body].join('\n') }]
  // The address of a page stands in the Referer of all that it asks for.
  const others = headers.replace(/^referer: .*$/im, '')
  return [
    { place: 'own hosts: URL', text: url },
    { place: 'own hosts: headers and body', text: [others, body].join('\n') },
  ]
}

/** What the profile takes for the credential, and everything else of the attempt. */
function splitDial({ url, headers, sent }: Dial, { carriage }: SignalingProfile) {
  const { credential, rest } = carriages.split(carriage, { url, headers, messages: sent })
  return {
    credential: credential.filter((text) => text !== '').join('\n'),
    rest: [new URL(rest.url).href, lines(rest.headers), ...rest.messages].join('\n'),
  }
}

function lines(headers: readonly Pair[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
