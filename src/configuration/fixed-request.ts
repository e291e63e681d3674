import { z } from 'zod'
import { isCredentialName } from '../base/evidence/credential-fields.ts'
import { complain } from '../base/schema/complain.ts'
import * as leaf from '../base/schema/leaves.ts'
import type { FixedRequest } from '../roles/backend/types.ts'
import { entriesOf } from './credentials.ts'
import type { KeyPath } from './path.ts'
import { complainOfRequestPlaceholders } from './unfilled-placeholders.ts'

const section = { error: 'a mapping' }

/** Headers that say where a message ends or where it goes, and those that have a place of their own. */
const ownHeaders: Readonly<Record<string, string>> = {
  authorization: 'carries the session, which the suite puts there: remove it',
  cookie: 'has a place of its own: write its pairs under request.cookies',
  host: 'follows from backend.url: remove it',
  connection: 'is set by the suite: remove it',
  'content-length': 'is set by the suite: remove it',
  'transfer-encoding': 'is set by the suite: remove it',
  upgrade: 'is set by the suite: remove it',
}

/** `backend.request` as it is written. */
export function fixedRequest<Credential extends z.ZodType>(credential: Credential) {
  const values = (name: z.ZodType<string, string>, meaning: string) =>
    z.record(name, credential, section).default({}).describe(meaning)
  const request = z.strictObject(
    {
      headers: values(leaf.token, 'Headers by name, such as X-Tenant or X-CSRF-Token').superRefine(
        (written, context) => {
          for (const name of Object.keys(written)) {
            const sentence = ownHeaders[name.toLowerCase()]
            if (sentence !== undefined) complain(context, [name], sentence)
          }
        },
      ),
      cookies: values(leaf.token, 'Cookies by name, besides those that a requirement sends'),
      query: values(z.string(), 'Query parameters by name, added to those of the url'),
      body: z
        .strictObject(
          {
            json: z
              .record(z.string(), z.unknown(), section)
              .describe('Fields of a JSON body; {} sends an empty object with its content type'),
          },
          { error: '{ json: { … } }' },
        )
        .exactOptional()
        .describe('The body of every call, to which requirements add their own fields'),
    },
    section,
  )
  return request.superRefine(complainOfRequestPlaceholders)
}

type Written = z.output<ReturnType<typeof fixedRequest<typeof leaf.credential>>>

/**
 * `backend.request` as drivers use it. A value is a secret where it came from the environment or from a command, where it is
 * a cookie, or where its name says so: a tenant's name that is written in the file is none.
 */
export function fixedRequestOf(
  { headers, cookies, query, body }: Written,
  isFromOutside: (path: KeyPath) => boolean,
): FixedRequest {
  const isSecret = (path: KeyPath) => {
    const name = String(path.at(-1))
    return isFromOutside(path) || path[2] === 'cookies' || isCredentialName(name) || /[cx]srf/i.test(name)
  }
  const written = { headers, cookies, query, body }
  const secrets = textsIn(written, ['backend', 'request']).filter(({ path }) => isSecret(path))
  return {
    headers,
    cookies,
    query,
    json: body === undefined ? undefined : body.json,
    secrets: secrets.map(({ text }) => text),
  }
}

function textsIn(value: unknown, path: KeyPath): { readonly text: string; readonly path: KeyPath }[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (typeof value !== 'object' || value === null) return []
  return entriesOf(value).flatMap(([key, item]) => textsIn(item, [...path, key]))
}
