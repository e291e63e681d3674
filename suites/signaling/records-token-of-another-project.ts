import { defineCheck } from '../../src/requirement/define.ts'
import { fetchWithKey } from './lib/fetch-with-key.ts'

export default defineCheck({
  id: 'SIG-26',
  level: 'INFO',
  kind: 'positive',
  clauses: ['5.4'],
  title: "records whether another project's token is accepted",
  why: 'The specification does not define isolation between projects; operators who rely on it need to know.',
  how: {
    does: [
      'Mints a token with the key of a second project, sends it with its own declared userId, and records the outcome.',
    ],
  },
  mints: 1,
  needs: ['mint', 'otherProjectKey', 'signaling'],
  async run({ mint, otherProjectKey, signaling, newUser }, judge) {
    const { jwt, userId } = await fetchWithKey(mint, 'mint.otherProjectKey', otherProjectKey, newUser())
    const made = await signaling.attempt({ token: jwt, declaredUser: userId })
    judge.observe('signaling.otherProject', made.outcome === 'accepted' ? 'accepted' : made.summary)
  },
})
