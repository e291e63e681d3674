import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { each, warning } from '../lib/broken-rows.ts'
import {
  callingWithBody,
  callingWithHeaders,
  fieldsOf,
  type Inbound,
  inForm,
  inHeader,
  inJson,
  inQuery,
} from './lib/variants.ts'

export const broken: BrokenVariants = {
  ...warning({
    ...each('takes * of the JSON body', ['ttlSeconds', 'expiresIn'], (name) =>
      takesLifetime(({ body }) => fieldsOf(body)[name]),
    ),
    ...each('takes * of the query', ['ttl', 'ttlSeconds'], (name) =>
      takesLifetime((request) => numberOf(inQuery(name)(request))),
    ),
    'takes the lifetime of the form': takesLifetime((request) => numberOf(inForm('ttlSeconds')(request))),
    'takes a lifetime up to an hour': takesLifetime(({ body }) => {
      const asked = fieldsOf(body)['ttlSeconds']
      return typeof asked === 'number' ? Math.min(asked, 3600) : undefined
    }),
    'passes the body through': callingWithBody(({ order, inbound }) => ({
      ...order,
      ...fieldsOf(inbound.body),
      userId: order.userId,
    })),
  }),
  'takes the API key of X-Api-Key': takesKey(inHeader('x-api-key')),
  'takes the API key of the JSON body': takesKey(inJson('apiKey')),
  'takes the API key of the query': takesKey(inQuery('key')),
}

function takesLifetime(found: (request: Inbound) => unknown): Catch {
  return callingWithBody(({ order, inbound }) => ({
    ...order,
    ttlSeconds: found(inbound) ?? order.ttlSeconds,
  }))
}

function takesKey(found: (request: Inbound) => string | undefined): Catch {
  return callingWithHeaders(({ inbound, apiKey }) => ({
    authorization: `Bearer ${found(inbound) ?? apiKey}`,
  }))
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
