import type { Catch } from '../../src/requirement/define.ts'
import { ofMint, rows } from '../lib/broken-rows.ts'
import { names } from './accepts-key-only-as-bearer.ts'
import { bearerOf } from './lib/variant-answers.ts'

type Mint = NonNullable<Catch['mint']>

export const broken = {
  ...rows(
    {
      'looks into the query': ({ url }) => firstOf((name) => url.searchParams.get(name)),
      'looks into the body': ({ body }) => firstOf((name) => textOf(fieldsOf(body)[name])),
      'takes the key as apiKey in the body, behind a strict schema': ({ body }) =>
        onlyField(fieldsOf(body), 'apiKey'),
      'looks into cookies': ({ headers }) => /\bapi_key=([^;]+)/.exec(headers['cookie'] ?? '')?.[1] ?? null,
      'looks at X-Api-Key': ({ headers }) => headers['x-api-key'] ?? null,
      'looks at X-Api-Key with a scheme': ({ headers }) => bearerOf(headers['x-api-key']),
      'takes what Basic decodes to': ({ headers }) => basicOf(headers.authorization)?.join(':') ?? null,
      'takes Basic with the key as the password': ({ headers }) =>
        basicOf(headers.authorization)?.[1] ?? null,
    },
    readsKey,
  ),
  ...ofMint({
    'looks into a form': readsForm((body, name) => new URLSearchParams(body).get(name), 'access_token'),
    'looks into a multipart form': readsForm(
      (body, name) => new RegExp(`name="${name}"\r\n\r\n([^\r]*)`).exec(body)?.[1] ?? null,
      'api_key',
    ),
  }),
}

function readsForm(read: (body: string, name: string) => string | null, keyName: string): Mint {
  return {
    ...readsKey(({ body }) => read(body ?? '', keyName)).mint,
    fields: ({ body }) => (body?.startsWith('{') ? JSON.parse(body) : { userId: read(body ?? '', 'userId') }),
  }
}

function readsKey(elsewhere: NonNullable<Mint['presentedKey']>): Catch {
  return {
    mint: { presentedKey: (request) => bearerOf(request.headers.authorization) ?? elsewhere(request) },
  }
}

function fieldsOf(body: string | null): Readonly<Record<string, unknown>> {
  return { ...JSON.parse(body ?? '{}') }
}

/** The field of this name where there is no other but those of the specification. */
function onlyField(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  const { userId: _, ttlSeconds: __, [name]: value, ...others } = fields
  return Object.keys(others).length === 0 && typeof value === 'string' ? value : null
}

function firstOf(read: (name: string) => string | null): string | null {
  return names.map(read).find((value) => value !== null) ?? null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function basicOf(authorization = ''): string[] | null {
  const [, pair] = /^basic +(\S+)$/i.exec(authorization) ?? []
  return pair === undefined ? null : Buffer.from(pair, 'base64').toString().split(':')
}
