import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'CLI-16',
  role: 'client',
  level: 'INFO',
  kind: 'positive',
  clauses: ['1.5'],
  title: 'talks to others than its backend and signaling',
  why: 'The SDK may validate an entitlement apart from any user, which the specification does not describe.',
  how: "A user signs in and connects. Every host besides the customer's own and signaling is recorded, with method and path.",
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
    if (!client.seesEverything) judge.onlyObserved(`what a ${client.kind} sends elsewhere cannot be seen`)
  },
  catches: {},
})
