import { z } from 'zod'
import { isCredentialName } from '../../base/evidence/credential-fields.ts'
import type { Limits } from '../../base/http/limits.ts'
import type { Address } from '../../base/http/listening.ts'
import * as leaf from '../../base/schema/leaves.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import type { BackendConfiguration } from '../backend/configuration.ts'
import type { MintConfiguration } from '../mint/configuration.ts'
import type { SignalingConfiguration } from '../signaling/configuration.ts'

const section = { error: 'a mapping' }

/** Addresses that the app is told, or a proxy that the device is told. */
export type DeviceSettings =
  | ({ readonly by: 'addresses' } & Address)
  | ({ readonly by: 'proxy' } & DeviceProxySettings)

export interface DeviceProxySettings extends Address {
  /** Hosts of the device's system, which are forwarded unread; `*` stands for a part of a name. */
  readonly forwardUnread: readonly string[]
}

const user = z.object({ userId: leaf.data(leaf.text()).optional() }, section).catchall(leaf.data(z.unknown()))

/** A pattern for whole top-level domains would leave nearly all traffic unread. */
const namesADomain = (glob: string) => /(?:^|\.)[^.*?{},:/]+\.[^.*?{},:/]+(?::\d+)?$/.test(glob)

/** `client` of the configuration: a page with its driver, a program with its command, or a device that is observed. */
export const client = z
  .strictObject(
    {
      url: leaf.httpUrl.optional().describe('The address of the page'),
      driver: leaf.path('the path of a module').optional().describe('The module that operates the page'),
      command: leaf
        .text('a command')
        .optional()
        .describe('Starts a client that is no page and speaks the line protocol'),
      tls: leaf.flag
        .default(false)
        .describe("The doubles of a program or a device speak https and wss with the suite's throwaway CA"),
      observe: z
        .strictObject(
          {
            listen: leaf.listenAddress
              .optional()
              .describe('host:port on which the doubles listen for a device that is told their addresses'),
            proxy: leaf.listenAddress
              .optional()
              .describe(
                'host:port of the HTTP proxy that leads the app of a device to the doubles; 0.0.0.0 is every interface',
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
            leaf.complain(context, [], 'needs proxy or listen, and only one of the two')
          if (proxy === undefined && forwardUnread.length > 0)
            leaf.complain(context, ['forwardUnread'], 'needs client.observe.proxy: add it, or remove this')
        })
        .transform(({ listen, proxy, forwardUnread }): DeviceSettings | undefined => {
          if (proxy !== undefined) return { by: 'proxy', ...proxy, forwardUnread }
          return listen && { by: 'addresses', ...listen }
        })
        .optional()
        .describe(
          'Judges a device from its traffic alone: run --observe, or run with client.command and proxy',
        ),
      users: z
        .record(z.string(), user, section)
        .superRefine((users, context) => {
          for (const [user, known] of Object.entries(users))
            for (const [name, value] of Object.entries(known))
              if (isCredentialName(name) && /^.$/.test(String(value)))
                leaf.complain(
                  context,
                  [user, name],
                  'is one character, which no report could hide: expected two at least',
                )
        })
        .default({})
        .describe('Users that are handed to the driver, with anything that it needs'),
      backendUrl: leaf.text('a URL pattern').optional().describe('Glob of the token route'),
      signalingUrl: leaf.text('a URL pattern').optional().describe('Glob of the signaling address'),
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
      browser: leaf.path('the path of a browser').optional().describe('The browser to use'),
    },
    section,
  )
  .superRefine((written, context) => {
    const { url, driver, command, observe } = written
    if (url !== undefined && driver === undefined)
      leaf.complain(context, ['url'], 'needs client.driver, the module that operates the page: add it')
    if (driver !== undefined && url === undefined)
      leaf.complain(context, ['driver'], 'needs client.url, the address of the page: add it')
    if (url !== undefined && command !== undefined)
      leaf.complain(context, ['command'], 'cannot be combined with a url: remove one of the two')
    if (url === undefined && command === undefined && observe === undefined)
      leaf.complain(context, [], 'configures no client: add url and driver, command, or observe')
  })

export type ClientConfiguration = leaf.Output<typeof client>

/** The parts of a configuration by which the doubles around a client act. */
export interface DoublesConfiguration {
  /** Absolute folder in which a program is started. */
  readonly directory: string
  readonly client?: ClientConfiguration | undefined
  readonly backend?: BackendConfiguration | undefined
  readonly signaling?: SignalingConfiguration | undefined
  readonly mint?: MintConfiguration | undefined
  readonly bundle?: { readonly mintHost?: string | undefined } | undefined
  readonly token: TokenConfiguration
  readonly limits: Limits
}
