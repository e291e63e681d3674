import { z } from 'zod'
import { complain } from '../base/schema/complain.ts'
import * as leaf from '../base/schema/leaves.ts'
import { fixedRequest } from './fixed-request.ts'
import { profile } from './profile.ts'

/** The parts of the service and of the customer that a run speaks to, as they are written. */

const mintPath = '/api/v1/calling/token'
const section = { error: 'a mapping' }

const userIds = z.union(
  [
    z.strictObject({
      from: z
        .array(leaf.text('the id of a user'), { error: 'a list of ids' })
        .min(2, { error: 'at least two ids' })
        .refine((ids) => new Set(ids).size === ids.length, { error: 'ids that differ' })
        .describe('Ids that the service knows: at least two, better ten'),
    }),
    z.strictObject({
      pattern: z.enum(['uuid'], { error: 'uuid' }).describe('The form of an id: made-up UUIDs'),
    }),
  ],
  { error: '{ from: [ … ] } or { pattern: uuid }' },
)

export function mint<Credential extends z.ZodType>(credential: Credential) {
  const stateKey = z.union(
    [
      credential,
      z.strictObject({
        key: credential.describe('The key'),
        attested: leaf.flag
          .default(false)
          .describe("You vouch for the account's state: a token issued is then a violation"),
      }),
    ],
    { error: 'a key, or { key: …, attested: true }' },
  )
  return z.strictObject(
    {
      url: leaf.httpUrl
        .superRefine((value, context) => {
          if (value.includes('?')) complain(context, [], 'has a query, expected a base URL: remove the query')
          else if (value.replace(/(?<!\/)\/+$/, '').endsWith(mintPath))
            complain(context, [], `ends with ${mintPath}, which the suite appends: remove that path`)
        })
        .describe(`The base URL; the suite appends ${mintPath}`),
      apiKey: credential.describe('A server key of the project'),
      otherProjectKey: credential.exactOptional().describe('A key of a second project'),
      keys: z
        .strictObject(
          {
            trialEnded: stateKey.exactOptional().describe('A key whose trial has ended (402)'),
            suspended: stateKey.exactOptional().describe('A key of a suspended project (403)'),
            capped: stateKey.exactOptional().describe('A key at its mint cap (429)'),
          },
          section,
        )
        .prefault({})
        .describe('Keys in states that cannot be provoked from outside'),
      minTtlSeconds: leaf
        .integer('a whole number of seconds from 1 to 86400', 1, 86_400)
        .default(60)
        .describe('The shortest lifetime that the service grants'),
      consoleToken: z
        .strictObject(
          {
            command: leaf
              .text('a command')
              .describe(
                'A shell command that prints the token for the userId in TWOTOKEN_USER_ID; a tool that takes a lifetime gets TWOTOKEN_TTL_SECONDS',
              ),
          },
          { error: '{ command: … }' },
        )
        .exactOptional()
        .describe('A tool that prints test tokens of the developer console'),
      userIds: userIds
        .exactOptional()
        .describe('For whom the mint issues tokens; made-up ids that begin with tt- where absent'),
    },
    section,
  )
}

const keySet = leaf.text('an http or https URL or the path of a file', (value) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? leaf.httpUrl.safeParse(value).success : value.trim() !== '',
)

/** A sessionToken as it is written: one that ends within a run is obtained again. */
export const writtenSessionToken = z.union(
  [
    leaf.writtenCredential,
    z.strictObject({
      command: leaf.text('a command that prints the credential'),
      freshEverySeconds: leaf.sessionSeconds.describe(
        'The command is run again when its sessionToken is that old: shorter than the session lives',
      ),
    }),
  ],
  { error: leaf.credentialForms },
)

/** @param sessionToken of a user that is logged in: as it is written, it may be renewed */
export function backend<Credential extends z.ZodType, SessionToken extends z.ZodType>(
  credential: Credential,
  sessionToken: SessionToken,
) {
  const user = z.strictObject(
    {
      token: sessionToken.describe('The sessionToken'),
      userId: leaf.text().describe('The id that the backend mints for'),
      cookie: credential
        .exactOptional()
        .describe(
          'The same login as a cookie, name=value, where the backend takes that besides the bearer: BACK-19 sends it from another site',
        ),
    },
    { error: '{ token: …, userId: … }' },
  )
  const former = z.strictObject({ token: credential.describe('The sessionToken') }, { error: '{ token: … }' })
  const fakeMint = z.strictObject(
    {
      listen: leaf
        .text('host:port with a port from 1 to 65535', (value) => leaf.parseListen(value) !== undefined)
        .describe('host:port on which the double listens'),
      apiKey: credential.describe('The key that the backend was given'),
      tls: leaf.flag.default(false).describe("https with the suite's throwaway CA instead of http"),
    },
    section,
  )
  return z
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
                .describe(
                  'An access token that the same login issued to another app, or for another service',
                ),
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
        request: fixedRequest(credential)
          .exactOptional()
          .describe('What every call of the token route carries besides the session'),
        tokenField: leaf.jsonPath
          .exactOptional()
          .describe(
            'Where the app reads the token in a response, if not in the field token; BACK-01 judges that all the same',
          ),
        recordRateLimit: leaf.flag
          .exactOptional()
          .describe(
            "BACK-28 sends 60 requests with alice's session within a minute, which may lock her account",
          ),
        sessionJwks: keySet
          .exactOptional()
          .describe(
            "The public keys of the customer's own login, where its sessions are JWTs: a URL or a file",
          ),
        fakeMint: fakeMint
          .exactOptional()
          .describe("Present when the backend under test has been pointed at the suite's mint double"),
      },
      section,
    )
    .superRefine((written, context) => {
      if (written.method === 'GET' && written.request?.body !== undefined)
        complain(context, ['request', 'body'], 'cannot be sent by GET: remove it, or use method: POST')
    })
}

export const signaling = z
  .strictObject(
    {
      url: leaf.wsUrl.describe('The address of signaling'),
      allowInsecureTransport: leaf.flag.default(false).describe('Permits ws:// to anything but loopback'),
      profile: profile.exactOptional().describe('How this service does what the specification leaves open'),
      callbackUrl: leaf.plainUrl
        .exactOptional()
        .describe(
          'Where signaling reaches the suite, which listens on its port: SIG-23 puts it into forged headers',
        ),
      adapter: leaf
        .text('the path of a module')
        .exactOptional()
        .describe('A module that connects instead of the profile; its serve is the double for clients'),
    },
    section,
  )
  .superRefine((written, context) => {
    if (written.profile !== undefined && written.adapter !== undefined)
      complain(context, ['adapter'], 'cannot be combined with a profile: remove one of the two')
  })

const asymmetric = z.enum(
  ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  { error: 'RS, PS or ES with 256, 384 or 512, or EdDSA or Ed25519, beside a privateKey' },
)
const symmetric = z.enum(['HS256', 'HS384', 'HS512'], { error: 'HS256, HS384 or HS512 beside a secret' })

export function tokens<Credential extends z.ZodType>(credential: Credential) {
  const fieldText = 'auto or a JSONPath such as $.data.token'
  const claimText = 'auto, the name of a claim, or a JSONPath such as $.user.id'
  return z.strictObject(
    {
      field: leaf
        .text(fieldText, (value) => value === 'auto' || leaf.isJsonPath(value))
        .default('auto')
        .describe("Where the token is in the mint's body: auto or a JSONPath"),
      userIdClaim: leaf
        .text(claimText, (value) => value.trim() !== '' && (!value.startsWith('$') || leaf.isJsonPath(value)))
        .default('auto')
        .describe('Where the userId is in the token: auto, a claim name, or a JSONPath'),
      jwks: keySet.exactOptional().describe("The service's public keys: a URL or a file"),
      signWith: z
        .union(
          [
            z.strictObject({
              alg: asymmetric,
              privateKey: leaf.text('the path of a PEM or JWK file').describe('A PKCS#8 PEM or JWK file'),
            }),
            z.strictObject({ alg: symmetric, secret: credential.describe('The shared secret') }),
          ],
          { error: '{ alg: …, privateKey: … } or { alg: …, secret: … }' },
        )
        .exactOptional()
        .describe('A key that a test deployment of signaling trusts'),
    },
    section,
  )
}
