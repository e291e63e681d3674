import { z } from 'zod'
import * as leaf from '../../base/schema/leaves.ts'
import { complainOfRequestPlaceholders } from '../../base/schema/unfilled-placeholders.ts'
import { fakeMint } from '../mint/configuration.ts'

const section = { error: 'a mapping' }

/** How the token of a session that ends within a run is got again. */
export interface SessionRenewal {
  /** A shell command that prints it. */
  readonly command: string
  readonly everySeconds: number
  /** When the command that printed the first one was started, in milliseconds since 1970. */
  readonly obtainedAt: number
}

const user = z
  .strictObject(
    {
      token: leaf.sessionToken.describe('The sessionToken'),
      userId: leaf.text().describe('The id that the backend mints for'),
      cookie: leaf
        .credential('cookie')
        .optional()
        .describe(
          'The same login as a cookie, name=value, where the backend takes that besides the bearer: BACK-19 sends it from another site',
        ),
    },
    { error: '{ token: …, userId: … }' },
  )
  .transform((written): typeof written & { renewal?: SessionRenewal | undefined } => written)

const former = z
  .strictObject({ token: leaf.credential('session').describe('The sessionToken') }, { error: '{ token: … }' })
  // A backend that starts anew may have forgotten the last: the command prints another.
  .transform((written): typeof written & { command?: string | undefined } => written)

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
const fixedRequest = z
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

/** `backend` of the configuration. */
export const backend = z
  .strictObject(
    {
      url: leaf.httpUrl.describe('The token route'),
      method: z
        .enum(['POST', 'GET'], { error: 'POST or GET' })
        .default('POST')
        .describe('The method of the token route'),
      sessions: z
        .strictObject(
          {
            alice: user.exactOptional().describe('A user that is logged in'),
            aliceSecondDevice: user.exactOptional().describe('The same user on a second device'),
            bob: user.exactOptional().describe('Another user'),
            expired: former.exactOptional().describe('A session that has expired'),
            signedOut: former.exactOptional().describe('A session that was signed out'),
            otherApp: former
              .exactOptional()
              .describe('An access token that the same login issued to another app, or for another service'),
            idToken: former.exactOptional().describe('An ID token of the same login'),
            refreshToken: former.exactOptional().describe('A refresh token of the same login'),
            odd: z
              .array(user, { error: 'a list of { token: …, userId: … }' })
              .exactOptional()
              .describe(
                'Users whose ids hold quotes, blanks, #, %, line breaks or letters of other scripts, where the backend has such',
              ),
          },
          section,
        )
        .prefault({})
        .describe('Users that are already logged in'),
      request: fixedRequest
        .optional()
        .describe('What every call of the token route carries besides the session'),
      tokenField: leaf.jsonPath
        .optional()
        .describe(
          'Where the app reads the token in a response, if not in the field token; BACK-01 judges that all the same',
        ),
      recordRateLimit: leaf.flag
        .optional()
        .describe(
          "BACK-28 sends 60 requests with alice's session within a minute, which may lock her account",
        ),
      sessionJwks: leaf.keySet
        .optional()
        .describe(
          "The public keys of the customer's own login, where its sessions are JWTs: a URL or a file",
        ),
      fakeMint: fakeMint
        .optional()
        .describe("Present when the backend under test has been pointed at the suite's mint double"),
    },
    section,
  )
  .superRefine((written, context) => {
    if (written.method === 'GET' && written.request?.body !== undefined)
      leaf.complain(context, ['request', 'body'], 'cannot be sent by GET: remove it, or use method: POST')
  })

export type FixedRequest = leaf.Output<typeof fixedRequest>
export type BackendConfiguration = leaf.Output<typeof backend>
export type ConfiguredSession = leaf.Output<typeof user>

/** Every session of a configuration, those of odd users too. */
export function listSessions({ odd = [], ...others }: BackendConfiguration['sessions']) {
  return [...Object.values(others), ...odd]
}

/** A user that is logged in, for as long as a run takes. */
export interface UserSession {
  /** The sessionToken as it is now. Where it is renewed, it may end soon: `Backend.exactSession` gives one that does not. */
  readonly token: string
  readonly userId: string
  readonly cookie?: string | undefined
  /**
   * The sessionToken, obtained anew where it is older than these seconds (by default than `freshEverySeconds`); absent where
   * the session outlives the run. Throws `ControlLost` where the command fails.
   */
  readonly renew?: ((olderThanSeconds?: number) => Promise<string>) | undefined
  readonly everySeconds?: number | undefined
}
