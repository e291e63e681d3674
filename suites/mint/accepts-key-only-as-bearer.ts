import { defineCheck } from '../../src/requirement/define.ts'
import { type Attack, judgeNoTokenIssued, sendAttacks } from './lib/send-attacks.ts'

const names = [
  'api_key',
  'apiKey',
  'apikey',
  'api-key',
  'x-api-key',
  'key',
  'token',
  'access_token',
  'auth',
  'bearer',
  'authorization',
] as const
const headerNames = [
  'x-api-key',
  'api-key',
  'apikey',
  'x-apikey',
  'x-auth-token',
  'x-access-token',
  'x-token',
] as const

export default defineCheck({
  id: 'MINT-06',
  role: 'mint',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.2', '5.2'],
  title: 'accepts the API key only in an Authorization: Bearer header',
  why: 'Keys in URLs, bodies and cookies leak into logs, browser histories and other sites.',
  how: 'Between two controls, sends the valid key without a Bearer header: in the query, in a body of JSON, a form or a multipart form, in a cookie, in other headers, and with the Basic scheme. A token fails.',
  mints: 2,
  needs: ['mint'],
  async run(parts, judge) {
    const attacks = misplaceKey(parts.mint.apiKey, parts.newUser)
    await sendAttacks(parts, judge, attacks, (outcomes) =>
      judgeNoTokenIssued(judge, outcomes, {
        clause: '5.2',
        fix: 'Read the API key from Authorization: Bearer only.',
      }),
    )
  },
  catches: {
    'looks into the query': {
      mint: {
        presentedKey: ({ url, headers }) =>
          bearerOf(headers.authorization) ?? firstOf((name) => url.searchParams.get(name)),
      },
    },
    'looks into one field of the query': {
      mint: {
        presentedKey: ({ url, headers }) =>
          url.searchParams.get('access_token') ?? bearerOf(headers.authorization),
      },
    },
    'looks into the body': {
      mint: {
        presentedKey: ({ body, headers }) => {
          const fields: Record<string, string> = JSON.parse(body ?? '{}')
          return bearerOf(headers.authorization) ?? firstOf((name) => fields[name] ?? null)
        },
      },
    },
    'looks into a form': {
      mint: {
        presentedKey: ({ headers, body }) =>
          bearerOf(headers.authorization) ?? new URLSearchParams(body ?? '').get('access_token'),
        fields: ({ body }) =>
          body?.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body ?? '')),
      },
    },
    'looks into a multipart form': {
      mint: {
        presentedKey: ({ headers, body }) => bearerOf(headers.authorization) ?? partOf(body, 'api_key'),
        fields: ({ body }) => (body?.startsWith('{') ? JSON.parse(body) : { userId: partOf(body, 'userId') }),
      },
    },
    'looks into cookies': {
      mint: {
        presentedKey: ({ headers }) =>
          bearerOf(headers.authorization) ?? /\bapi_key=([^;]+)/.exec(headers['cookie'] ?? '')?.[1] ?? null,
      },
    },
    'looks at X-Api-Key': {
      mint: {
        presentedKey: ({ headers }) => bearerOf(headers.authorization) ?? headers['x-api-key'] ?? null,
      },
    },
    'looks at a header of its own': {
      mint: { presentedKey: ({ headers }) => bearerOf(headers.authorization) ?? headers['api-key'] ?? null },
    },
    'looks at X-Api-Key with a scheme': {
      mint: {
        presentedKey: ({ headers }) => bearerOf(headers.authorization) ?? bearerOf(headers['x-api-key']),
      },
    },
    'takes what Basic decodes to': {
      mint: {
        presentedKey: ({ headers }) =>
          bearerOf(headers.authorization) ?? basicOf(headers.authorization)?.join(':') ?? null,
      },
    },
    'takes Basic with the key as the password of no user': {
      mint: {
        presentedKey({ headers }) {
          const [user, password] = basicOf(headers.authorization) ?? []
          return bearerOf(headers.authorization) ?? (user === '' ? (password ?? null) : null)
        },
      },
    },
    'takes Basic with the key as the user': {
      mint: {
        presentedKey: ({ headers }) =>
          bearerOf(headers.authorization) ?? basicOf(headers.authorization)?.[0] ?? null,
      },
    },
    'takes Basic with the key as the password': {
      mint: {
        presentedKey: ({ headers }) =>
          bearerOf(headers.authorization) ?? basicOf(headers.authorization)?.[1] ?? null,
      },
    },
  },
})

function misplaceKey(key: string, newUser: () => string): Attack[] {
  const without = (name: string, request: Attack['request']) => ({ name, request: { key: null, ...request } })
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  const everyName = Object.fromEntries(names.map((name) => [name, key]))
  return [
    without('the key in the query', { query: everyName }),
    without('the key in the body', { body: { userId: newUser(), ...everyName } }),
    without('the key with its scheme in the body', {
      body: { userId: newUser(), authorization: `Bearer ${key}` },
    }),
    without('the key in a form', {
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ userId: newUser(), ...everyName }).toString(),
    }),
    without('the key in a multipart form', {
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: multipart({ userId: newUser(), ...everyName }),
    }),
    without('the key in a cookie', {
      headers: [['cookie', names.map((name) => `${name}=${key}`).join('; ')]],
    }),
    ...headerNames.map((header) => without(`the key in the header ${header}`, { headers: [[header, key]] })),
    ...['x-api-key', 'x-authorization', 'proxy-authorization'].map((header) =>
      without(`the key with its scheme in the header ${header}`, { headers: [[header, `Bearer ${key}`]] }),
    ),
    without('the key as the whole Basic credential', { authorization: basic(key) }),
    without('the key as the Basic password without a user', { authorization: basic(`:${key}`) }),
    without('the key as the Basic user', { authorization: basic(`${key}:`) }),
    without('the key as the Basic password', { authorization: basic(`api:${key}`) }),
  ]
}

const boundary = 'twotoken-form'

function multipart(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

function partOf(body: string | null, name: string): string | null {
  return new RegExp(`name="${name}"\r\n\r\n([^\r]*)`).exec(body ?? '')?.[1] ?? null
}

function firstOf(read: (name: string) => string | null): string | null {
  return names.map(read).find((value) => value !== null) ?? null
}

function bearerOf(authorization = ''): string | null {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null
}

/** User and password. */
function basicOf(authorization = ''): string[] | null {
  const [, pair] = /^basic +(\S+)$/i.exec(authorization) ?? []
  return pair === undefined ? null : Buffer.from(pair, 'base64').toString().split(':')
}
