import type { BrokenVariants } from '../../src/requirement/define.ts'
import { backends, jsonAnswer } from '../backend/lib/variants.ts'

export const broken: BrokenVariants = {
  ...backends({
    'the backend returns its own session': {
      answer: (answer, { headers }) => jsonAnswer(answer.status, { token: headers.authorization?.slice(7) }),
    },
    'the backend cuts the token': {
      success: (_, { token }) => jsonAnswer(200, { token: String(token).slice(0, -12) }),
    },
    'the backend mints for another form of the id': { userId: ({ userId }) => `user:${userId}` },
  }),
  'signaling takes another algorithm than the mint signs with': { signaling: { algorithms: ['RS256'] } },
  'signaling rejects every client': { signaling: { handshake: () => 401 } },
}
