import type { BrokenVariants, Catch, Policies } from '../../src/requirement/define.ts'
import { rows, warning } from '../lib/broken-rows.ts'

type Print = Policies['console']['print']
type Claims = Readonly<Record<string, unknown>>

const prints: Readonly<Record<string, Print>> = {
  'issues for a fixed user': (_, { issue }) => issue('admin'),
  'issues one token for all users': issueOnce(() => 'everyone'),
  'issues the same token again for a user': issueOnce(({ userId }) => userId),
  'issues tokens that live for thirty days': endingAfter(30 * 86_400),
  'issues tokens that have ended': endingAfter(-60),
}

/** Where the key is not known, ends have to be waited for; within limits shorter than those of a real run. */
const configuration = {
  token: { signWith: null },
  limits: { leewayWarnSeconds: 1, leewayFailSeconds: 4 },
}

export const broken: BrokenVariants = {
  ...warning({
    ...rows(prints, (print) => ({ console: { print } })),
    'issues tokens that never end': {
      console: {
        print: ({ userId }, { issueWith }) => issueWith(userId, ({ exp: _, ...claims }) => claims),
      },
      signaling: { expiryOf: ({ exp }) => (typeof exp === 'number' ? exp : null) },
    },
    'signaling lets test tokens join as any user': {
      console: { print: testTokens },
      signaling: {
        userOf: ({ sub, test }) => (test === true ? `any ${sub}` : String(sub)),
        joinsAs: (user, declared) =>
          user.startsWith('any ') ? (declared ?? user.slice(4)) : declared === user ? user : null,
      },
    },
    'signaling never ends test tokens': endingTests(() => null),
    'signaling never ends test tokens, and its key is not known': {
      ...endingTests(() => null),
      configuration,
    },
    'signaling ends test tokens a minute late, and its key is not known': {
      ...endingTests((exp) => exp + 60),
      configuration,
    },
  }),
  'a page of the console in place of a token': {
    console: { print: async () => '<html><body>please sign in to the console</body></html>' },
    as: 'error',
  },
}

function endingAfter(seconds: number): Print {
  return ({ userId }, { issueWith }) =>
    issueWith(userId, (claims: Claims) => ({ ...claims, exp: Number(claims['iat']) + seconds }))
}

function endingTests(endOf: (exp: number) => number | null): Catch {
  return {
    console: { print: testTokens },
    signaling: { expiryOf: ({ exp, test }) => (test === true ? endOf(Number(exp)) : Number(exp)) },
  }
}

function testTokens(...[{ userId, ttlSeconds }, { issueWith }]: Parameters<Print>): ReturnType<Print> {
  return issueWith(userId, (claims: Claims) => ({
    ...claims,
    test: true,
    exp: ttlSeconds === undefined ? undefined : Number(claims['iat']) + ttlSeconds,
  }))
}

function issueOnce(kindOf: (order: Parameters<Print>[0]) => string): Print {
  const kept = new WeakMap<object, Map<string, Promise<string>>>()
  return (order, tools) => {
    const tokens = kept.get(tools) ?? new Map<string, Promise<string>>()
    kept.set(tools, tokens)
    const token = tokens.get(kindOf(order)) ?? tools.issue(order.userId, order.ttlSeconds)
    tokens.set(kindOf(order), token)
    return token
  }
}
