import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { rows, warning } from '../lib/broken-rows.ts'
import { cacheTokens } from './lib/variant-cache.ts'

type Lifetime = NonNullable<NonNullable<Catch['mint']>['lifetime']>

/** The granted seconds, by the asked ones. */
const lifetimes: Readonly<Record<string, Lifetime>> = {
  'grants a day whatever is asked': () => 86_400,
  'grants 900 seconds whatever is asked': () => 900,
  'grants 3600 seconds whatever is asked': () => 3600,
  'grants a minute whatever is asked': () => 60,
  'takes seconds for milliseconds': (asked) => Math.floor(Number(asked ?? 900) / 1000),
  'takes seconds for minutes': (asked) => Number(asked ?? 15) * 60,
  'takes seconds for minutes under a ceiling': (asked, { ceilingSeconds }) =>
    Math.min(Number(asked ?? 15) * 60, ceilingSeconds),
  'takes seconds for hours': (asked) => Number(asked ?? 1) * 3600,
  'multiplies by a thousand': (asked) => Number(asked ?? 900) * 1000,
  'doubles the lifetime': (asked) => Number(asked ?? 900) * 2,
  'adds an hour': (asked) => Number(asked ?? 900) + 3600,
  'rounds up to whole hours': (asked) => Math.ceil(Number(asked ?? 3600) / 3600) * 3600,
  'grants whatever it likes': () => 60 + Math.floor(Math.random() * 80_000),
  'grants a day for five or ten minutes': (asked) =>
    Number(asked ?? 900) >= 240 && Number(asked ?? 900) <= 800 ? 86_400 : Number(asked ?? 900),
  'grants a month for more than an hour': (asked) =>
    Number(asked ?? 900) > 3600 ? 2_592_000 : Number(asked ?? 900),
}

/** How a mint writes the times of its tokens. */
const dates: Readonly<Record<string, Dating>> = {
  'takes local time for UTC, west of Greenwich': ({ iat, exp }) => ({ iat: iat - 7200, exp: exp - 7200 }),
  'takes local time for UTC, east of Greenwich': ({ iat, exp }) => ({ iat: iat + 7200, exp: exp + 7200 }),
}

/** These only warn. */
const lenientDates: Readonly<Record<string, Dating>> = {
  'dates tokens ahead by two minutes': ({ iat, exp }) => ({ iat: iat + 120, exp: exp + 120 }),
  'writes the end as a text': ({ exp, ...times }) => ({ ...times, exp: String(exp) }),
  'writes no end': ({ iat }) => ({ iat }),
  'writes the end as a date': ({ exp, ...times }) => ({ ...times, exp: new Date(exp * 1000).toISOString() }),
  'begins two minutes from now': ({ iat, exp }) => ({ iat, exp, nbf: iat + 120 }),
  'writes the time of issue in milliseconds': ({ iat, exp }) => ({ iat: iat * 1000, exp }),
}

export const broken: BrokenVariants = {
  ...rows(lifetimes, (lifetime) => ({ mint: { lifetime } })),
  ...rows(dates, (write) => ({ mint: dating(write) })),
  ...warning(rows(lenientDates, (write) => ({ mint: dating(write) }))),
  'keeps the first token of a user, whatever is asked later': {
    mint: cacheTokens(({ userId }) => userId),
  },
  'keeps the first lifetime of a user': {
    mint: (() => {
      const kept = new Map<string, number>()
      return {
        claims: ({ userId }, { issuedAt, expiresAt }) => {
          const seconds = kept.get(userId) ?? expiresAt - issuedAt
          kept.set(userId, seconds)
          return { sub: userId, iat: issuedAt, exp: issuedAt + seconds }
        },
      }
    })(),
  },
  'refuses the field': {
    mint: {
      fields: ({ body }) => {
        const { userId, ttlSeconds }: { userId: string; ttlSeconds?: number } = JSON.parse(body ?? '')
        return { userId: ttlSeconds === undefined ? userId : null }
      },
    },
  },
  'lets tokens live for a day and dates them ahead': {
    mint: {
      claims: ({ userId }, { issuedAt, expiresAt }) => ({
        sub: userId,
        iat: issuedAt + 86_400 - (expiresAt - issuedAt),
        exp: issuedAt + 86_400,
      }),
    },
  },
  'adds half a minute': { mint: { lifetime: (asked) => Number(asked ?? 900) + 30 }, as: 'warn' },
}

interface Times {
  readonly iat: number
  readonly exp: number
}

type Dating = (times: Times) => Readonly<Record<string, unknown>>

function dating(write: Dating): NonNullable<Catch['mint']> {
  return {
    claims: ({ userId }, { issuedAt, expiresAt }) => ({
      sub: userId,
      ...write({ iat: issuedAt, exp: expiresAt }),
    }),
  }
}
