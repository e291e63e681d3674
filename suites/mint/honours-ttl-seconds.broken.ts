import { ofMint, rows, warning } from '../lib/broken-rows.ts'
import { cacheTokens, claiming } from './lib/variant-answers.ts'

type Times = Parameters<typeof claiming>[0]

const lifetimes: Readonly<Record<string, (asked: number, ceilingSeconds: number) => number>> = {
  'grants a day whatever is asked': () => 86_400,
  'grants 3600 seconds whatever is asked': () => 3600,
  'grants a minute whatever is asked': () => 60,
  'takes seconds for milliseconds': (asked) => Math.floor(asked / 1000),
  'takes seconds for minutes': (asked) => asked * 60,
  'takes seconds for minutes under a ceiling': (asked, ceilingSeconds) =>
    Math.min(asked * 60, ceilingSeconds),
  'doubles the lifetime': (asked) => asked * 2,
  'rounds up to whole hours': (asked) => Math.ceil(asked / 3600) * 3600,
  'grants a day for five or ten minutes': (asked) => (asked >= 240 && asked <= 800 ? 86_400 : asked),
}

const dates: Readonly<Record<string, Times>> = {
  'takes local time for UTC, west of Greenwich': ({ iat, exp }) => ({ iat: iat - 7200, exp: exp - 7200 }),
  'takes local time for UTC, east of Greenwich': ({ iat, exp }) => ({ iat: iat + 7200, exp: exp + 7200 }),
  'lets tokens live for a day and dates them ahead': ({ iat, exp }) => ({
    iat: iat + 86_400 - (exp - iat),
    exp: iat + 86_400,
  }),
}

const lenientDates: Readonly<Record<string, Times>> = {
  'dates tokens ahead by two minutes': ({ iat, exp }) => ({ iat: iat + 120, exp: exp + 120 }),
  'writes the end as a text': ({ exp }) => ({ exp: String(exp) }),
  'writes no end': () => ({ exp: undefined }),
  'begins two minutes from now': ({ iat }) => ({ nbf: iat + 120 }),
  'writes the time of issue in milliseconds': ({ iat }) => ({ iat: iat * 1000 }),
}

export const broken = {
  ...rows(lifetimes, (grant) => ({
    mint: { lifetime: (asked, { ceilingSeconds }) => grant(Number(asked ?? 900), ceilingSeconds) },
  })),
  ...rows(dates, (write) => ({ mint: claiming(write) })),
  ...warning(rows(lenientDates, (write) => ({ mint: claiming(write) }))),
  ...warning(ofMint({ 'adds half a minute': { lifetime: (asked) => Number(asked ?? 900) + 30 } })),
  ...ofMint({
    'keeps the first token of a user, whatever is asked later': cacheTokens(({ userId }) => userId),
    'refuses the field': {
      fields: ({ body }) => {
        const { userId, ttlSeconds } = JSON.parse(body ?? '')
        return { userId: ttlSeconds === undefined ? userId : null }
      },
    },
  }),
}
