import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'SIG-26',
  role: 'signaling',
  level: 'INFO',
  kind: 'positive',
  clauses: ['5.4'],
  title: 'is seen to admit or refuse a token of another project',
  why: 'The specification names one signaling service and says nothing of walls between projects; who relies on them should know.',
  how: 'A token is minted with the key of a second project and offered, declared as the user that it was made for.',
  mints: 1,
  needs: ['mint', 'otherProjectKey', 'signaling'],
  async run({ mint, otherProjectKey, signaling, newUser }, judge) {
    const userId = newUser()
    const reply = await mint.request({ key: otherProjectKey, userId, followRedirects: true })
    const located = reply.kind === 'answer' ? mint.locate(reply) : null
    if (located?.kind !== 'found')
      throw new ControlLost("the mint issued no token for the second project's key", [reply.exchange])
    const made = await signaling.attempt({ token: located.token, declaredUser: userId })
    judge.observe('signaling.otherProject', made.outcome === 'accepted' ? 'accepted' : made.summary)
  },
  catches: {},
})
