import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { assertTokenPlace } from '../../src/roles/mint/driver.ts'

export default defineCheck({
  id: 'SIG-26',
  role: 'signaling',
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
    const userId = newUser()
    const reply = await mint.request({ key: otherProjectKey, userId, followRedirects: true })
    const located = reply.kind === 'answer' ? mint.locate(reply) : null
    if (located?.kind === 'missing' && !mint.hasServed()) assertTokenPlace(reply)
    if (located?.kind !== 'found') {
      // A mint that issues none for mint.apiKey, either, says nothing about the other key.
      await mint.token(userId)
      throw new ControlLost('the mint issued no token for mint.otherProjectKey: correct it, or remove it', [
        reply.exchange,
      ])
    }
    const made = await signaling.attempt({ token: located.token, declaredUser: userId })
    judge.observe('signaling.otherProject', made.outcome === 'accepted' ? 'accepted' : made.summary)
  },
})
