import { askPlainTwin, unaskedTwin } from '../../src/base/http/plain-twin.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'MINT-23',
  level: 'ADVISORY',
  kind: 'positive',
  clauses: ['4.1'],
  title: 'mints over https only',
  why: 'A backend that is configured with http by mistake sends its API key in the clear, and never learns of it while the mint answers.',
  how: {
    does: [
      'Asks the http address beside mint.url (the usual port for the usual port, else the same one) with a made-up key.',
      'Passes with a redirect, another status or a closed port.',
    ],
    warns: [
      'An answer there as https gives it, since it serves the mint; on loopback only where the real key, sent then, mints.',
    ],
    untested: ['Does not apply where mint.url is plain http itself: MINT-20 judges it.'],
  },
  mints: 2,
  needs: ['mint'],
  async run({ mint, configuration, newUser, http, randomBytes }, judge) {
    const { protocol } = new URL(mint.endpoint)
    if (protocol !== 'https:') return judge.notApplicable('mint.url is plain http')
    const unasked = unaskedTwin(mint.endpoint, configuration.proxy)
    if (unasked !== null) return judge.untested(unasked)
    await mint.token(newUser())
    const body = JSON.stringify({ userId: newUser() })
    const { secure, plain, withReal, isAlike } = await askPlainTwin(http, {
      to: 'mint',
      requestWith: (key) => ({
        method: 'POST',
        url: mint.endpoint,
        headers: [
          ['authorization', `Bearer ${key}`],
          ['content-type', 'application/json'],
        ],
        body,
      }),
      madeUp: `ac_live_${randomBytes(16).toString('hex')}`,
      real: mint.apiKey,
    })
    if (secure.kind === 'no-answer')
      throw new ControlLost(`the mint ${secure.message}, asked with a made-up key`, [secure.exchange])
    const isMinting = withReal === null ? isAlike : mint.issuedBy(withReal) !== null
    judge.advisory(!isMinting, {
      saw:
        withReal === null
          ? `the mint at plain http: it answers a made-up key as https does, with ${secure.status}`
          : 'a token over plain http',
      expected: 'https only',
      fix: 'Close the http port of the mint. A redirect would come after the key was sent.',
      evidence: [plain.exchange, ...(withReal === null ? [] : [withReal.exchange])],
    })
  },
})
