import { generateKeyPairSync } from 'node:crypto'
import { CompactSign } from 'jose'
import type { Catch, Policies } from '../../../src/requirement/define.ts'

type Print = Policies['console']['print']
type Order = Parameters<Print>[0]

/** A console whose tool prints something else. */
export function printWith(print: Print): Catch {
  return { console: { print } }
}

/** A console that issues one token for all orders of a kind. */
export function issueOnce(kindOf: (order: Order) => string): Catch {
  const kept = new WeakMap<object, Map<string, Promise<string>>>()
  return printWith((order, tools) => {
    const tokens = kept.get(tools) ?? new Map<string, Promise<string>>()
    kept.set(tools, tokens)
    const token = tokens.get(kindOf(order)) ?? tools.issue(order.userId, order.ttlSeconds)
    tokens.set(kindOf(order), token)
    return token
  })
}

/** A form of the console that still holds what was entered before. */
export function issueForLastUser(): Catch {
  const last = new WeakMap<object, string>()
  return printWith(({ userId }, tools) => {
    const before = last.get(tools) ?? userId
    last.set(tools, userId)
    return tools.issue(before)
  })
}

export function signWithOwnKey(): Catch {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return printWith(async ({ userId }, { issue }) => {
    const [header = '', payload = ''] = (await issue(userId)).split('.')
    return new CompactSign(Buffer.from(payload, 'base64url'))
      .setProtectedHeader(JSON.parse(Buffer.from(header, 'base64url').toString()))
      .sign(privateKey)
  })
}

/** Test tokens are marked as such. */
export const testTokens: Catch = printWith(({ userId, ttlSeconds }, { issueWith }) =>
  issueWith(userId, (claims) => ({
    ...claims,
    test: true,
    exp: ttlSeconds === undefined ? undefined : Number(claims['iat']) + ttlSeconds,
  })),
)

/** Ends have to be waited for, with limits shorter than those of a real run. */
export function withoutTestKey(broken: Catch): Catch {
  return {
    ...broken,
    configuration: { token: { signWith: null }, limits: { leewayWarnSeconds: 1, leewayFailSeconds: 4 } },
  }
}
