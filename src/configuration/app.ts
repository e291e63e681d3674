import { z } from 'zod'
import { isCredentialName } from '../base/evidence/credential-fields.ts'
import { complain } from '../base/schema/complain.ts'
import * as leaf from '../base/schema/leaves.ts'

/** The app under test, its artefacts, and how the implementation is started, as they are written. */

const section = { error: 'a mapping' }

const listenAddress = leaf.text(
  'host:port with a port from 1 to 65535',
  (value) => leaf.parseListen(value) !== undefined,
)

/** A pattern for whole top-level domains would leave nearly all traffic unread. */
const namesADomain = (glob: string) => /(?:^|\.)[^.*?{},:/]+\.[^.*?{},:/]+(?::\d+)?$/.test(glob)

export const client = z
  .strictObject(
    {
      url: leaf.httpUrl.exactOptional().describe('The address of the page'),
      driver: leaf.text('the path of a module').exactOptional().describe('The module that operates the page'),
      command: leaf
        .text('a command')
        .exactOptional()
        .describe('Starts a client that is no page and speaks the line protocol'),
      tls: leaf.flag
        .default(false)
        .describe("The doubles of a program or a device speak https and wss with the suite's throwaway CA"),
      observe: z
        .strictObject(
          {
            listen: listenAddress
              .exactOptional()
              .describe('host:port on which the doubles listen for a device that is told their addresses'),
            proxy: listenAddress
              .exactOptional()
              .describe(
                'host:port of the HTTP proxy that leads the app of a device to the doubles (0.0.0.0: every interface); a person operates the device, or client.command',
              ),
            forwardUnread: z
              .array(leaf.text('a host such as play.example.com or *.example.com', namesADomain), {
                error: 'a list of hosts',
              })
              .default([])
              .describe(
                "Hosts of the device's system, not of the app, that the proxy forwards unread: what is sent there is not judged",
              ),
          },
          section,
        )
        .superRefine(({ listen, proxy, forwardUnread }, context) => {
          if ((listen === undefined) === (proxy === undefined))
            complain(context, [], 'needs proxy or listen, and only one of the two')
          if (proxy === undefined && forwardUnread.length > 0)
            complain(context, ['forwardUnread'], 'needs client.observe.proxy: add it, or remove this')
        })
        .exactOptional()
        .describe(
          'Judges a device from its traffic alone: run --observe, or run with client.command and proxy',
        ),
      users: z
        .record(z.string(), z.looseObject({ userId: leaf.text().exactOptional() }, section), section)
        .superRefine((users, context) => {
          for (const [user, known] of Object.entries(users))
            for (const [name, value] of Object.entries(known))
              if (isCredentialName(name) && /^.$/.test(String(value)))
                complain(
                  context,
                  [user, name],
                  'is one character, which no report could hide: expected two at least',
                )
        })
        .default({})
        .describe('Users that are handed to the driver, with anything that it needs'),
      backendUrl: leaf.text('a URL pattern').exactOptional().describe('Glob of the token route'),
      signalingUrl: leaf.text('a URL pattern').exactOptional().describe('Glob of the signaling address'),
      ownHosts: z
        .array(leaf.text('a host such as api.example.com or *.example.com'), { error: 'a list of hosts' })
        .default([])
        .describe('Further hosts of the customer, to which the session may go'),
      serviceHosts: z
        .array(leaf.text('a host such as signal.example.com or *.example.com'), { error: 'a list of hosts' })
        .default([])
        .describe(
          'Hosts of the calling service besides signaling, to which the calling JWT may go over HTTP',
        ),
      browser: leaf.text('the path of a browser').exactOptional().describe('The browser to use'),
    },
    section,
  )
  .superRefine((written, context) => {
    const { url, driver, command, observe } = written
    if (url !== undefined && driver === undefined)
      complain(context, ['url'], 'needs client.driver, the module that operates the page: add it')
    if (driver !== undefined && url === undefined)
      complain(context, ['driver'], 'needs client.url, the address of the page: add it')
    if (url !== undefined && command !== undefined)
      complain(context, ['command'], 'cannot be combined with a url: remove one of the two')
    if (url === undefined && command === undefined && observe === undefined)
      complain(context, [], 'configures no client: add url and driver, command, or observe')
  })

export const bundle = z.strictObject(
  {
    paths: z
      .array(leaf.text('a path'), { error: 'a list of paths' })
      .min(1, { error: 'at least one path' })
      .describe('Files and folders to audit'),
    mintHost: leaf
      .text('a host or host:port', leaf.isHost)
      .exactOptional()
      .describe("The mint's host, or host:port"),
    key: z
      .strictObject(
        {
          prefix: leaf
            .pattern('4 to 32 letters, digits, "_" or "-"', /^[A-Za-z0-9_-]{4,32}$/)
            .exactOptional()
            .describe('How a server key begins (default ac_live_)'),
          minLength: leaf
            .integer('a whole number from 8 to 200', 8, 200)
            .exactOptional()
            .describe('How many characters a key has after its prefix at least (default 16)'),
        },
        section,
      )
      .exactOptional()
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
    health: pathOfUrl()
      .exactOptional()
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

function pathOfUrl() {
  return leaf.pattern('a path that begins with /', /^\//)
}

export const start = z
  .strictObject(
    {
      compose: leaf.text('the path of a compose file').exactOptional().describe('A compose file'),
      command: leaf.text('a command').exactOptional().describe('A command that stays in the foreground'),
      containers: z
        .strictObject(
          {
            mint: container.exactOptional().describe("An image in the mint's place"),
            backend: container.exactOptional().describe("An image in the backend's place"),
            signaling: container.exactOptional().describe("An image in signaling's place"),
          },
          section,
        )
        .exactOptional()
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
      complain(context, [], `has ${ways.length} ways to start: keep one of compose, command and containers`)
  })
