import { z } from 'zod'
import { limits } from '../base/http/limits.ts'
import type { ProxySettings } from '../base/http/proxy-settings.ts'
import * as leaf from '../base/schema/leaves.ts'
import { tokens } from '../base/tokens/token-configuration.ts'
import { backend } from '../roles/backend/configuration.ts'
import { client } from '../roles/client/client-configuration.ts'
import { mint } from '../roles/mint/configuration.ts'
import { signaling } from '../roles/signaling/configuration.ts'

const section = { error: 'a mapping' }

const bundle = z.strictObject(
  {
    paths: z
      .array(leaf.path('a path'), { error: 'a list of paths' })
      .min(1, { error: 'at least one path' })
      .describe('Files and folders to audit'),
    mintHost: leaf
      .text('a host or host:port', leaf.isHost)
      .optional()
      .describe("The mint's host, or host:port"),
    key: z
      .strictObject(
        {
          prefix: leaf
            .pattern('4 to 32 letters, digits, "_" or "-"', /^[A-Za-z0-9_-]{4,32}$/)
            .optional()
            .describe('How a server key begins (default ac_live_)'),
          minLength: leaf
            .integer('a whole number from 8 to 200', 8, 200)
            .optional()
            .describe('How many characters a key has after its prefix at least (default 16)'),
        },
        section,
      )
      .optional()
      .describe('How server keys look'),
  },
  section,
)

/** Those that an engine gives a container by itself: no file asks for more. */
const engineCapabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
] as const

const container = z.strictObject(
  {
    image: leaf.text().describe('The image'),
    port: leaf.integer('a port from 1 to 65535', 1, 65_535).describe('The port that it listens on'),
    env: z
      .record(
        z.string(),
        z.union([z.string(), z.number(), z.boolean()], { error: 'text' }).transform(String),
        section,
      )
      .default({})
      .describe(
        'Its environment; {mintUrl}, {apiKey}, {jwksUrl}, {mintKeys} and {sessions} are replaced by the values of the run',
      ),
    health: leaf
      .pattern('a path that begins with /', /^\//)
      .optional()
      .describe('A path that answers 2xx once it is ready; any answer where absent'),
    capabilities: z
      .array(
        z.enum(engineCapabilities, { error: `a capability: one of ${engineCapabilities.join(', ')}` }),
        section,
      )
      .default([])
      .describe('Capabilities of Linux that it needs, such as SETUID; a container has none otherwise'),
    memoryMegabytes: leaf
      .integer('a number of megabytes from 64 to 1048576', 64, 1_048_576)
      .default(2048)
      .describe('The memory that it may use'),
  },
  { error: '{ image: …, port: … }' },
)

/** How the suite brings the implementation up itself: one of three ways. */
const start = z
  .strictObject(
    {
      compose: leaf.path('the path of a compose file').optional().describe('A compose file'),
      command: leaf.text('a command').optional().describe('A command that stays in the foreground'),
      containers: z
        .strictObject(
          {
            mint: container.exactOptional().describe("An image in the mint's place"),
            backend: container.exactOptional().describe("An image in the backend's place"),
            signaling: container.exactOptional().describe("An image in signaling's place"),
          },
          section,
        )
        .optional()
        .describe("Images that take parts' places"),
      readyTimeoutSeconds: leaf.positiveSeconds
        .default(60)
        .describe('How long it may take until it is ready'),
    },
    section,
  )
  .superRefine((written, context) => {
    const ways = [written.compose, written.command, written.containers].filter((way) => way !== undefined)
    if (ways.length !== 1)
      leaf.complain(
        context,
        [],
        `has ${ways.length} ways to start: keep one of compose, command and containers`,
      )
  })

function hook<Told extends z.ZodRawShape>(told: Told, meaning: string) {
  const command = leaf.text('a command').describe('A shell command that exits with 0 when it is done')
  return z
    .strictObject({ command, ...told }, { error: '{ command: … }' })
    .optional()
    .describe(meaning)
}
const session = leaf.credential('session').optional().describe("Instead of alice's second device")
const key = leaf.credential('api-key')

/** Commands that change the implementation; each runs in the configuration's folder and has done so when it exits with 0. */
const hooks = z.strictObject(
  {
    signOut: hook({ session }, 'Signs out the session in TWOTOKEN_SESSION'),
    revokeKey: hook(
      { key: key.optional().describe("Instead of the other project's key") },
      'Revokes the API key in TWOTOKEN_KEY',
    ),
    suspendProject: hook(
      { key: key.describe('A key of a project that nothing else needs') },
      'Suspends the project of the API key in TWOTOKEN_KEY',
    ),
    rotateKeys: hook({}, 'Replaces the key that signs calling tokens, and removes the old one'),
  },
  section,
)

const absentNames = [
  'backend',
  'trial',
  'mintCap',
  'suspension',
  'secondProject',
  'jwks',
  'expiredSession',
  'secondDevice',
  'switchableMint',
  'mintTls',
  'testKey',
  'hooks',
  'logs',
  'callback',
] as const
export const absentName = z.enum(absentNames, { error: `one of ${absentNames.join(', ')}` })

const absentPart = z.strictObject(
  {
    what: absentName.describe('The missing part'),
    reason: leaf.text().describe('Why, for the reader of the report'),
  },
  { error: '{ what: …, reason: … }' },
)

const proxy = z
  .strictObject(
    {
      url: leaf
        .credential('secret')
        .superRefine((url, context) => {
          if (url !== leaf.notObtained && !leaf.isProxyUrl(url))
            leaf.complain(
              context,
              [],
              `is text of ${url.length} characters, expected an http or https URL such as http://proxy.example.com:3128: change it`,
            )
        })
        .describe('An http or https URL, with user name and password where it wants them'),
      bypass: z
        .array(leaf.text('a host such as *.internal'), { error: 'a list of hosts' })
        .default([])
        .describe('Hosts that are reached directly, with all below them; this machine always is'),
    },
    { error: '{ url: … }' },
  )
  .transform(({ url, bypass }): ProxySettings => ({ secure: url, plain: url, bypass }))

const waiver = z.strictObject(
  {
    id: leaf.pattern("a requirement's id such as SIG-08", /^[A-Z]+-[0-9]{2,3}$/).describe('The requirement'),
    reason: leaf.text().describe('Why it is accepted'),
    issue: leaf.text().optional().describe('Where it is followed up'),
    expires: z.iso
      .date({ error: 'a date such as 2027-03-31' })
      .optional()
      .describe('The last day on which it is valid'),
  },
  { error: '{ id: …, reason: … }' },
)

/** `twotoken.yaml` after every `${NAME}` is replaced: with every default, and one form of each value. */
export const configurationSchema = z.strictObject(
  {
    name: leaf.text().optional().describe('The name of this implementation in reports'),
    mint: mint.optional().describe("The service's mint endpoint"),
    backend: backend.optional().describe("The customer's backend and its token route"),
    signaling: signaling.optional().describe('The hosted signaling service'),
    token: tokens.prefault({}).describe('Where the calling token and its userId are found'),
    client: client.optional().describe('The app under test: a page, a program or a device'),
    bundle: bundle.optional().describe('The build artefacts to audit'),
    start: start.optional().describe('How the suite brings the implementation up'),
    hooks: hooks.prefault({}).describe('Commands for what only the operator can do'),
    logs: z
      .array(leaf.path('the path of a log file'), { error: 'a list of log files' })
      .default([])
      .describe('Files that the parts write their logs to: FLOW-07 looks for secrets in them'),
    stories: z
      .array(leaf.path('the path of a story'), { error: 'a list of stories' })
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
          .path('the path of a PEM file')
          .optional()
          .describe('A PEM file of authorities to trust in addition'),
        client: z
          .strictObject(
            {
              cert: leaf.path('the path of a PEM file').describe('The certificate, with its chain'),
              key: leaf.path('the path of a PEM file').describe('Its private key, unencrypted'),
            },
            { error: '{ cert: …, key: … }' },
          )
          .optional()
          .describe("The suite's own certificate, for servers that ask for one (mutual TLS)"),
      })
      .prefault({})
      .describe('For every connection that the suite makes'),
    proxy: proxy
      .optional()
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

type File = leaf.Output<typeof configurationSchema>

export interface Configuration extends File {
  readonly name: string
  /** Absolute folder of the configuration file (the working directory without one): relative paths start here. */
  readonly directory: string
  /** Names of the variables that values of the file are taken from. */
  readonly referredVariables: readonly string[]
  /** Values of variables and output of commands; all but addresses and numbers are secret. */
  readonly outsideTexts: readonly string[]
  /** Where to read what was said between parts that the suite has brought up itself; no file says it. */
  readonly hopRecords?: string | undefined
  /** Where to read the logs of parts that the suite has brought up itself; no file says it. */
  readonly partLogs?: string | undefined
}

export type StartContainer = leaf.Output<typeof container>
export type AbsentName = z.output<typeof absentName>
export type AbsentPart = leaf.Output<typeof absentPart>
export type Waiver = leaf.Output<typeof waiver>
