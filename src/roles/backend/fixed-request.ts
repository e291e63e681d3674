import { z } from 'zod'
import * as leaf from '../../base/schema/leaves.ts'
import { complainOfRequestPlaceholders } from '../../base/schema/unfilled-placeholders.ts'

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

// The name of a tenant is no secret: a value is one where it came from outside, or where its name says so.
const value = leaf.credential('secret', true)

/** `backend.request` of the configuration: what every call of the token route carries besides the session. */
export const fixedRequest = z
  .strictObject(
    {
      headers: z
        .record(leaf.token, value, section)
        .default({})
        .describe('Headers by name, such as X-Tenant or X-CSRF-Token')
        .superRefine((written, context) => {
          for (const name of Object.keys(written)) {
            const sentence = ownHeaders[name.toLowerCase()]
            if (sentence !== undefined) leaf.complain(context, [name], sentence)
          }
        }),
      cookies: z
        .record(leaf.token, leaf.credential('secret'), section)
        .default({})
        .describe('Cookies by name, besides those that a requirement sends'),
      query: z
        .record(z.string(), value, section)
        .default({})
        .describe('Query parameters by name, added to those of the url'),
      body: z
        .strictObject(
          {
            json: z
              .record(z.string(), leaf.data(z.unknown(), true), section)
              .describe('Fields of a JSON body; {} sends an empty object with its content type'),
          },
          { error: '{ json: { … } }' },
        )
        .optional()
        .describe('The body of every call, to which requirements add their own fields'),
    },
    section,
  )
  .superRefine(complainOfRequestPlaceholders)

export type FixedRequest = leaf.Output<typeof fixedRequest>
