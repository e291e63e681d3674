import { headerOf } from '../../src/base/http/headers.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { describeReply } from './describe-reply.ts'
import { jsonAnswer } from './variant-answers.ts'
import { withShortLivedTokens } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-01',
  role: 'backend',
  level: 'MUST',
  clauses: ['4.2.5'],
  title: 'gives a logged-in user a calling token at the field token',
  why: 'Whatever the backend does with the mint, the app reads one field and hands it to signaling.',
  how: 'The route is called with the sessions of two users. It must answer 2xx with a JSON object whose string token is a compact JWT. A token elsewhere in the body, or something else at that field, is a failure.',
  mints: 2,
  needs: ['backend', 'bob'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, bob } = parts
    await withShortLivedTokens(parts, async (double) => {
      for (const [name, { token: session }] of [
        ['alice', backend.alice],
        ['bob', bob],
      ] as const) {
        const before = double?.calls().length ?? 0
        const reply = await backend.request({ session, followRedirects: true })
        const calls = double?.calls().slice(before) ?? []
        const token = backend.tokenOf(reply)
        if (token === null && calls.length > 0 && calls.every(({ issued }) => issued === null)) {
          const evidence = [reply.exchange, ...calls.map(({ exchange }) => exchange)]
          judge.lost(`control failed: the mint gave the backend no token for ${name}`, evidence)
          continue
        }
        // What the mint gave is handed on as it is: its form is the mint's affair (MINT-03).
        const isOfMint = calls.some(({ issued }) => issued !== null && issued === token)
        judge.must(token !== null && (isOfMint || readToken(token) !== null), {
          saw: `${describeReply(reply)} and ${token === null ? 'no string token' : 'a token that is no JWT'} for ${name}, who is logged in`,
          expected: 'a 2xx answer with a JSON object whose string token is a compact JWT',
          evidence: [reply.exchange],
        })
        if (reply.kind === 'no-answer') continue
        judge.observe('backend.status', reply.status)
        judge.observe('backend.contentType', headerOf(reply.headers, 'content-type') ?? null)
      }
    })
  },
  catches: {
    'calls the field jwt': { backend: { success: (_, { token }) => jsonAnswer(200, { jwt: token }) } },
    'nests the token': { backend: { success: (_, { token }) => jsonAnswer(200, { data: { token } }) } },
    'wraps the token in an object': {
      backend: { success: (_, { token }) => jsonAnswer(200, { token: { value: token } }) },
    },
    'sends the token alone, quoted': { backend: { success: (_, { token }) => jsonAnswer(200, token) } },
    'sends the token alone, bare': {
      backend: { success: (_, { token }) => ({ status: 200, headers: {}, body: String(token) }) },
    },
    'sends a list': { backend: { success: (_, { token }) => jsonAnswer(200, [{ token }]) } },
    'puts the scheme before the token': {
      backend: { success: (_, { token }) => jsonAnswer(200, { token: `Bearer ${token}` }) },
    },
    'hands out a reference instead of the token': {
      backend: { success: () => jsonAnswer(200, { token: crypto.randomUUID() }) },
    },
    "hands out the mint's body as a string": {
      backend: { success: (_, { reply }) => jsonAnswer(200, { token: reply.body }) },
    },
    'sends the token with an error status': {
      backend: { success: (_, { token }) => jsonAnswer(500, { token }) },
    },
    'serves one user only': {
      backend: {
        callingToken: async (_, { authenticate, kept, tokenFor }) => {
          const { userId } = await authenticate()
          const first = kept.keys().next().value ?? userId
          kept.set(first, kept.get(first) ?? tokenFor(userId))
          return first === userId ? tokenFor(userId) : Promise.reject(new Error('one user is enough'))
        },
      },
    },
  },
})
