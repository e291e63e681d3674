import type { BrokenVariants } from '../../src/requirement/define.ts'
import {
  calling,
  callingWithBody,
  callingWithHeaders,
  sendingLongestPart,
  sentBearer,
} from './lib/variants.ts'

export const broken: BrokenVariants = {
  'forwards all headers': callingWithHeaders((details) => ({
    'x-forwarded-authorization': sentBearer(details),
  })),
  'forwards the cookies of the app, with its login': {
    ...callingWithHeaders(({ inbound }) => ({ cookie: inbound.headers['cookie'] ?? '' })),
    configuration: {
      backend: { sessions: { alice: { cookie: 'theme=dark; sid=a-login-in-a-cookie-of-the-shop' } } },
    },
  },
  'sends the session in the query': calling(({ path }, details) => ({
    path: `${path}?on-behalf-of=${encodeURIComponent(sentBearer(details))}`,
  })),
  'sends the session in the body, in hex': callingWithBody((details) => ({
    ...details.order,
    reference: Buffer.from(sentBearer(details)).toString('hex'),
  })),
  'takes the session for the userId': {
    backend: { userId: (_, { headers }) => headers.authorization?.split(' ')[1] ?? '' },
  },
  'sends the part of the session that its login looks at': sendingLongestPart(),
  'sends the session when it tries again': {
    backend: {
      ...callingWithHeaders((details) =>
        String(details.order.userId).endsWith(' again') ? { 'x-retry-for': sentBearer(details) } : {},
      ).backend,
      tokenFor: (userId, { mint }) => mint(userId).catch(() => mint(`${userId} again`)),
    },
  },
}
