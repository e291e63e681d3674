import { headerOf } from '../../src/base/http/headers.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { findTokenPlace, tokenInReply } from '../../src/roles/backend/find-in-reply.ts'
import { showReply } from './lib/describe-reply.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-01',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.2.5'],
  basis: 'The backend returns a JSON object with the calling JWT at token (4.2.5).',
  title: 'returns a calling JWT in the token field',
  why: 'The app reads one field of the response and passes its value to signaling.',
  how: {
    does: [
      'Calls the token route with the sessions of two users.',
      'Expects a 2xx status and a JSON object whose string "token" is a compact JWT.',
    ],
    fails: ['A token elsewhere in the body, or another value in that field.'],
  },
  mints: 2,
  needs: ['backend', 'bob'],
  async run(parts, judge) {
    const { backend, bob } = parts
    await withShortLivedTokens(parts, async (double) => {
      for (const [name, session] of [
        ['alice', backend.alice],
        ['bob', bob],
      ] as const) {
        const before = double?.calls().length ?? 0
        const reply = await backend.requestServed({ session, followRedirects: true })
        const calls = double?.calls().slice(before) ?? []
        const token = tokenInReply(reply)
        const place = token === null ? findTokenPlace(reply) : null
        if (token === null && calls.length > 0 && calls.every(({ issued }) => issued === null)) {
          const evidence = [reply.exchange, ...calls.map(({ exchange }) => exchange)]
          judge.lost(`control failed: the mint issued no token to the backend for ${name}`, evidence)
          continue
        }
        // The mint's token is returned unchanged: its format is judged by MINT-03.
        const isOfMint = calls.some(({ issued }) => issued !== null && issued === token)
        judge.must(token !== null && (isOfMint || readToken(token) !== null), {
          case: `the session of ${name}`,
          saw: `${showReply(reply)} and ${token === null ? `no string "token"${place === null ? '' : `, but a token at ${place}`}` : 'a "token" that is not a JWT'} for the session of ${name}`,
          expected: 'a 2xx status and { "token": "<calling JWT>" } (4.2.5)',
          fix: "Return the mint's token in the field token.",
          evidence: [reply.exchange],
        })
        judge.observe('backend.status', reply.status)
        judge.observe('backend.contentType', headerOf(reply.headers, 'content-type') ?? null)
      }
    })
  },
})
