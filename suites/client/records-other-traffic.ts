import { defineCheck } from '../../src/requirement/define.ts'
import { judgeUnread } from './lib/judge-unread.ts'

export default defineCheck({
  id: 'CLI-16',
  role: 'client',
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
  needs: ['client'],
  async run({ client }, judge) {
    await using app = await client.open({ everySocketIsSignaling: true })
    await app.signIn()
    await app.connect()
    await app.waitForTokenCall()
    await app.waitForQuiet()
    const others = app.requests().filter(({ host }) => host !== 'own')
    const seen = others.map(({ method, url }) => `${method} ${url.replace(/[?#].*$/s, '')}`)
    judge.observe('client.otherTraffic', [...new Set(seen)])
    judgeUnread(app, judge)
    if (app.forwardedUnread().length > 0) judge.observe('client.forwardedUnread', app.forwardedUnread())
    if (!client.seesEverything)
      judge.onlyObserved(`requests of a ${client.kind} to other hosts cannot be observed`)
  },
  catches: {},
})
