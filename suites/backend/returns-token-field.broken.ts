import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { type Backend, jsonAnswer } from './lib/variants.ts'

type Minted = Parameters<Backend['success']>[1]
const answers = (bodyOf: (minted: Minted) => unknown, status = 200): Catch => ({
  backend: { success: (_, minted) => jsonAnswer(status, bodyOf(minted)) },
})

export const broken: BrokenVariants = {
  'calls the field jwt': answers(({ token }) => ({ jwt: token })),
  'wraps the token in an object': answers(({ token }) => ({ token: { value: token } })),
  'sends the token alone, bare': {
    backend: { success: (_, { token }) => ({ status: 200, headers: {}, body: String(token) }) },
  },
  'puts the scheme before the token': answers(({ token }) => ({ token: `Bearer ${token}` })),
  "returns the mint's body as a string": answers(({ reply }) => ({ token: reply.body })),
  'sends the token with an error status': answers(({ token }) => ({ token }), 500),
  'serves one user only': {
    backend: {
      callingToken: async (_, { authenticate, kept, tokenFor }) => {
        const { userId } = await authenticate()
        const first = kept.keys().next().value ?? userId
        if (first !== userId) throw new Error('one user is enough')
        const minted = tokenFor(userId)
        kept.set(userId, minted)
        return minted
      },
    },
  },
}
