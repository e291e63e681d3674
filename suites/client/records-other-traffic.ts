import { defineCheck } from '../../src/requirement/define.ts'
import { goOnJourney } from '../../src/roles/client/journey.ts'
import type { SeenRequest } from '../../src/roles/client/types.ts'
import { judgeUnread } from './lib/judge-unread.ts'

export default defineCheck({
  id: 'CLI-16',
  level: 'INFO',
  kind: 'positive',
  clauses: ['1.5'],
  title: 'records requests to hosts other than backend and signaling',
  why: 'The SDK may validate an entitlement separately from any user; the specification does not describe how.',
  how: {
    does: [
      'A user signs in and connects.',
      "Records the host, method and path of every request that goes neither to the customer's own hosts nor to signaling.",
    ],
  },
  needs: ['client', 'journey'],
  async run({ client, journey }, judge) {
    const shared = await journey()
    const { requests, notAsked, unreadHosts, forwardedUnread } = shared.requests.some(isSocketElsewhere)
      ? await goOnJourney(client, { everySocketIsSignaling: true })
      : shared
    if (notAsked !== null) throw notAsked
    const others = requests.filter(({ host }) => host !== 'own')
    const seen = others.map(({ method, url }) => `${method} ${url.replace(/[?#].*$/s, '')}`)
    judge.observe('client.otherTraffic', [...new Set(seen)])
    judgeUnread(unreadHosts, judge)
    if (forwardedUnread.length > 0) judge.observe('client.forwardedUnread', forwardedUnread)
    if (!client.seesEverything)
      judge.onlyObserved(`requests of a ${client.kind} to other hosts cannot be observed`)
  },
})

/** Such a socket may be signaling's, at an address that the configuration does not name. */
function isSocketElsewhere({ host, url }: SeenRequest): boolean {
  return host !== 'own' && /^wss?:/.test(url)
}
