import { defineCheck } from '../../src/requirement/define.ts'

export default defineCheck({
  id: 'SIG-02',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.3', '5.4'],
  basis: 'The SDK connects to signaling with the calling JWT (5.4).',
  title: 'accepts a fresh calling token',
  why: 'The calling token exists to join signaling: a service that rejects it serves no users.',
  how: {
    does: [
      'Fetches a token for each of two users and sends it at once, as the profile says.',
      'Expects a success sign that lasts for settleMs.',
      'Repeats a rejection between other clients that are served; it counts if the token is rejected again.',
      'Where signaling rejects every client for a while, as a protection against our own attacks does, that is recorded and waited out once something was accepted.',
    ],
    fails: ['A rejection or a close that is repeated.'],
    warns: ['A rejection that is not repeated, other than silence or an overload.'],
    untested: ['Silence, a reset and 503 are errors: a service that is down looks the same.'],
  },
  mints: 2,
  needs: ['callingTokens', 'signaling'],
  async run({ callingTokens, signaling }, judge) {
    const tokens = await Promise.all([callingTokens.fresh(), callingTokens.fresh()])
    for (const token of tokens) {
      let made = await signaling.join(token)
      const isDecided = made.outcome === 'refused' && made.unreachable !== true
      const blockedSeconds = isDecided ? await signaling.outlastBan() : null
      if (blockedSeconds !== null) {
        const first = made
        const isServing = blockedSeconds === 0
        if (!isServing) judge.observe('signaling.blockedSeconds', blockedSeconds)
        made = await signaling.join(isServing ? token : await callingTokens.fresh())
        if (made.outcome === 'refused') await signaling.control()
        // Silence and an overload that are over decide nothing: a busy machine may have caused them.
        else if (first.outcome === 'refused' && first.undecided === true)
          judge.observe('signaling.undecidedAtFirst', first.summary)
        else
          judge.advisory(!isServing, {
            saw: `a fresh calling token not accepted at first, but when it was offered again: signaling ${first.summary}`,
            expected: 'every fresh token accepted at once (4.3)',
            fix: 'Let every node know the keys and tokens as soon as the mint does, unless this was a block for the attacks of the suite.',
            evidence: [first.exchange, made.exchange],
          })
      }
      if (made.outcome === 'untestable') judge.untested(`the calling token could not be sent: ${made.reason}`)
      else if (made.outcome === 'refused' && made.unreachable)
        judge.lost(`signaling ${made.summary}`, [made.exchange])
      else
        judge.must(made.outcome === 'accepted', {
          saw: `a fresh calling token not accepted: signaling ${made.summary}`,
          expected: 'a success sign of the profile (4.3)',
          fix: 'Accept valid calling tokens, or correct signaling.profile; mint.url and signaling.url must be of one environment.',
          evidence: [made.exchange],
        })
    }
  },
})
