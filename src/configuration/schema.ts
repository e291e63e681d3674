import { z } from 'zod'
import { defaultLimits } from '../base/limits.ts'
import { complain } from '../base/schema/complain.ts'
import * as leaf from '../base/schema/leaves.ts'
import { bundle, client, start } from './app.ts'
import { absentParts } from './configuration.ts'
import { backend, mint, signaling, tokens, writtenSessionToken } from './targets.ts'

/**
 * `twotoken.yaml` once `${NAME}` is replaced. The kind of leaf that a credential is comes from outside: as it is
 * written it may be `{ command }`, after the commands have run it is text.
 */
function fileSchema<Credential extends z.ZodType, SessionToken extends z.ZodType>(
  credential: Credential,
  sessionToken: SessionToken,
) {
  return z.strictObject(
    {
      name: leaf.text().exactOptional().describe('The name of this implementation in reports'),
      mint: mint(credential).exactOptional().describe("The service's mint endpoint"),
      backend: backend(credential, sessionToken)
        .exactOptional()
        .describe("The customer's backend and its token route"),
      signaling: signaling.exactOptional().describe('The hosted signaling service'),
      token: tokens(credential).prefault({}).describe('Where the calling token and its userId are found'),
      client: client.exactOptional().describe('The app under test, as a page'),
      bundle: bundle.exactOptional().describe('The build artefacts to audit'),
      start: start.exactOptional().describe('How the suite brings the implementation up'),
      hooks: hooks(credential).prefault({}).describe('Commands for what only the operator can do'),
      logs: z
        .array(leaf.text('the path of a log file'), { error: 'a list of log files' })
        .default([])
        .describe('Files that the parts write their logs to: FLOW-07 looks for secrets in them'),
      stories: z
        .array(leaf.text('the path of a story'), { error: 'a list of stories' })
        .default([])
        .describe('Stories that `twotoken explore` has found: `run` tells each of them again'),
      absent: z
        .array(absentPart, { error: 'a list of { what: …, reason: … }' })
        .default([])
        .describe(
          'What this implementation lacks: its requirements are not applicable, or untested where they apply all the same (switchableMint)',
        ),
      environment: z
        .array(leaf.pattern('the name of a variable, or its beginning and *', /^[A-Za-z_]\w*\*?$/), {
          error: 'a list of names of variables',
        })
        .default([])
        .describe(
          'Variables of the environment that hooks, drivers, adapters, the client and `start.command` get, besides PATH, HOME, TMPDIR, LANG and the like; a name may end in `*`',
        ),
      limits: limits.prefault({}).describe('Limits on time and size'),
      tls: z
        .strictObject({
          ca: leaf
            .text('the path of a PEM file')
            .exactOptional()
            .describe('A PEM file of authorities to trust in addition'),
          client: z
            .strictObject(
              {
                cert: leaf.text('the path of a PEM file').describe('The certificate, with its chain'),
                key: leaf.text('the path of a PEM file').describe('Its private key, unencrypted'),
              },
              { error: '{ cert: …, key: … }' },
            )
            .exactOptional()
            .describe("The suite's own certificate, for servers that ask for one (mutual TLS)"),
        })
        .prefault({})
        .describe('For every connection that the suite makes'),
      proxy: proxy(credential)
        .exactOptional()
        .describe(
          'Through which requests leave this network; HTTPS_PROXY, HTTP_PROXY and NO_PROXY where absent',
        ),
      waivers: z
        .array(waiver, { error: 'a list of { id: …, reason: … }' })
        .default([])
        .describe('Findings that are known and accepted for a while'),
    },
    { error: 'a mapping' },
  )
}

function proxy<Credential extends z.ZodType>(credential: Credential) {
  return z
    .strictObject(
      {
        url: credential.describe('An http or https URL, with user name and password where it wants them'),
        bypass: z
          .array(leaf.text('a host such as *.internal'), { error: 'a list of hosts' })
          .default([])
          .describe('Hosts that are reached directly, with all below them; this machine always is'),
      },
      { error: '{ url: … }' },
    )
    .superRefine((written, context) => {
      const url: unknown = Object.entries(written).find(([key]) => key === 'url')?.[1]
      if (typeof url === 'string' && !leaf.isProxyUrl(url))
        complain(
          context,
          ['url'],
          `is text of ${url.length} characters, expected an http or https URL such as http://proxy.example.com:3128: change it`,
        )
    })
}

function hooks<Credential extends z.ZodType>(credential: Credential) {
  const command = leaf.text('a command').describe('A shell command that exits with 0 when it is done')
  const form = { error: '{ command: … }' }
  return z.strictObject(
    {
      signOut: z
        .strictObject(
          { command, session: credential.exactOptional().describe("Instead of alice's second device") },
          form,
        )
        .exactOptional()
        .describe('Signs out the session in TWOTOKEN_SESSION'),
      revokeKey: z
        .strictObject(
          { command, key: credential.exactOptional().describe("Instead of the other project's key") },
          form,
        )
        .exactOptional()
        .describe('Revokes the API key in TWOTOKEN_KEY'),
      suspendProject: z
        .strictObject(
          { command, key: credential.describe('A key of a project that nothing else needs') },
          form,
        )
        .exactOptional()
        .describe('Suspends the project of the API key in TWOTOKEN_KEY'),
      rotateKeys: z
        .strictObject({ command }, form)
        .exactOptional()
        .describe('Replaces the key that signs calling tokens, and removes the old one'),
    },
    { error: 'a mapping' },
  )
}

const absentPart = z.strictObject(
  {
    what: z.enum(absentParts, { error: `one of ${absentParts.join(', ')}` }).describe('The missing part'),
    reason: leaf.text().describe('Why, for the reader of the report'),
  },
  { error: '{ what: …, reason: … }' },
)

const paceLimit = z
  .strictObject(
    {
      perSecond: leaf
        .number('a number of requests above 0', (value) => value > 0)
        .exactOptional()
        .describe('Requests that are begun in a second, at equal distances'),
      atOnce: leaf
        .integer('a whole number from 1 to 10000', 1, 10_000)
        .exactOptional()
        .describe('Requests that are under way at once; so many are begun together'),
    },
    { error: '{ perSecond: …, atOnce: … }' },
  )
  .superRefine((written, context) => {
    if (Object.keys(written).length === 0)
      complain(context, [], 'limits nothing: add perSecond, atOnce or both')
  })

const pace = z
  .strictObject(
    {
      mint: paceLimit.exactOptional().describe('To the mint, and to a backend without a pace of its own'),
      backend: paceLimit.exactOptional().describe('To the token route'),
      signaling: paceLimit.exactOptional().describe('Connections to signaling'),
    },
    { error: 'a mapping' },
  )
  .prefault({})
  .describe("How fast the suite's own requests to a part follow each other, for parts that limit their rate")

const limits = z
  .strictObject(
    {
      requestSeconds: leaf.positiveSeconds
        .default(defaultLimits.requestSeconds)
        .describe('The longest whole exchange'),
      bodyBytes: leaf
        .integer('a whole number of bytes from 1024 to 268435456', 1024, 268_435_456)
        .default(defaultLimits.bodyBytes)
        .describe('The largest body or frame'),
      backendAnswerSeconds: leaf.positiveSeconds
        .default(defaultLimits.backendAnswerSeconds)
        .describe('How soon a backend must answer when the mint does not'),
      neverSeconds: leaf.positiveSeconds
        .exactOptional()
        .describe(
          'No answer for so long counts as never, and fails; 120 or more, since gateways give up after 60. Absent: it is measured, and warns',
        ),
      idleConnections: leaf
        .integer('a whole number from 10 to 5000', 10, 5000)
        .exactOptional()
        .describe(
          'Connections without a credential that SIG-36 holds at once, while a user joins; absent: none',
        ),
      maxTtlWaitSeconds: leaf.positiveSeconds
        .default(defaultLimits.maxTtlWaitSeconds)
        .describe('The longest lifetime that expiry cases wait for'),
      clientSettleSeconds: leaf.positiveSeconds
        .default(defaultLimits.clientSettleSeconds)
        .describe("How soon a client's getAuthToken must settle when the backend does not answer"),
      reconnectSeconds: leaf.positiveSeconds
        .default(defaultLimits.reconnectSeconds)
        .describe('How long a client may take until it mints again'),
      leewayWarnSeconds: leaf.seconds
        .default(defaultLimits.leewayWarnSeconds)
        .describe('Accepted longer than this after expiry: warn'),
      leewayFailSeconds: leaf.seconds
        .default(defaultLimits.leewayFailSeconds)
        .describe('Accepted longer than this after expiry: fail'),
      maxMints: leaf
        .integer('a whole number from 0 to 1000000', 0, 1_000_000)
        .exactOptional()
        .describe('Calling tokens that a run may have issued; what would cost more stays untested'),
      pace,
      patienceSeconds: leaf.seconds
        .default(defaultLimits.patienceSeconds)
        .describe(
          'How long a request waits in all for a part that limits its rate; four times as long for a backend that fails for a while, and where a part refuses everyone after requests that it has rejected',
        ),
    },
    { error: 'a mapping' },
  )
  .superRefine((written, context) => {
    if (written.leewayWarnSeconds > written.leewayFailSeconds)
      complain(
        context,
        ['leewayWarnSeconds'],
        `is ${written.leewayWarnSeconds}, above leewayFailSeconds (${written.leewayFailSeconds}): make it the smaller of the two`,
      )
  })

const waiver = z.strictObject(
  {
    id: leaf.pattern("a requirement's id such as SIG-08", /^[A-Z]+-[0-9]{2,3}$/).describe('The requirement'),
    reason: leaf.text().describe('Why it is accepted'),
    issue: leaf.text().exactOptional().describe('Where it is followed up'),
    expires: z.iso
      .date({ error: 'a date such as 2027-03-31' })
      .exactOptional()
      .describe('The last day on which it is valid'),
  },
  { error: '{ id: …, reason: … }' },
)

export const writtenSchema = fileSchema(leaf.writtenCredential, writtenSessionToken)
export const resolvedSchema = fileSchema(leaf.credential, leaf.credential)
export type ResolvedFile = z.output<typeof resolvedSchema>
