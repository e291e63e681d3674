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
  basis: 'The key is required in the Authorization header, as a bearer, and goes there only (2.2, 5.2).',
  title: 'accepts the API key only in an Authorization: Bearer header',
  why: 'Keys in URLs, bodies and cookies leak into logs, browser histories and other sites.',
  how: {
    does: [
      'Between two controls, sends the valid key without a Bearer header: in the query, in a body of JSON, a form or a multipart form, in a cookie, in other headers, and with the Basic scheme; under every usual name at once, and under one name a request.',
    ],
    fails: ['A token.'],
  },
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
    'takes the key as apiKey in the body, behind a strict schema': {
      mint: {
        presentedKey: ({ body, headers }) =>
          bearerOf(headers.authorization) ?? onlyField(fieldsOf(body), 'apiKey'),
      },
    },
    'takes the key as key in the query, and rejects other parameters': {
      mint: {
        presentedKey: ({ url, headers }) =>
          bearerOf(headers.authorization) ?? onlyField(Object.fromEntries(url.searchParams), 'key'),
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
    without('the key in the query under every name', { query: everyName }),
    without('the key in the body under every name', { body: { userId: newUser(), ...everyName } }),
    // A strict schema rejects a request for the names that it does not know.
    ...names.flatMap((name) => [
      without(`the key in the query as ${name}`, { query: { [name]: key } }),
      without(`the key in the body as ${name}`, { body: { userId: newUser(), [name]: key } }),
      without(`the key in a form as ${name}`, {
        contentType: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({ userId: newUser(), [name]: key }).toString(),
      }),
      without(`the key in a cookie as ${name}`, { headers: [['cookie', `${name}=${key}`]] }),
    ]),
    without('the key with its scheme in the body', {
      body: { userId: newUser(), authorization: `Bearer ${key}` },
    }),
    without('the key in a form under every name', {
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ userId: newUser(), ...everyName }).toString(),
    }),
    without('the key in a multipart form', {
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: multipart({ userId: newUser(), ...everyName }),
    }),
    without('the key in a cookie under every name', {
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

function fieldsOf(body: string | null): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body ?? '{}')
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The field of this name where there is no other but those of the specification. */
function onlyField(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  const { userId: _, ttlSeconds: __, [name]: value, ...others } = fields
  return Object.keys(others).length === 0 && typeof value === 'string' ? value : null
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
