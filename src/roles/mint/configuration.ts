import { z } from 'zod'
import * as leaf from '../../base/schema/leaves.ts'
import { mintContract } from '../../contract/mint.ts'

const { path: mintPath } = mintContract
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

const stateKey = z
  .union(
    [
      leaf.writtenCredential,
      z.strictObject({
        key: leaf.credential('api-key').describe('The key'),
        attested: leaf.flag
          .default(false)
          .describe("You vouch for the account's state: a token issued is then a violation"),
      }),
    ],
    { error: 'a key, or { key: …, attested: true }' },
  )
  .transform((written) =>
    typeof written === 'object' && 'key' in written
      ? written
      : { key: leaf.textOf(written), attested: false },
  )
  .register(leaf.places, { takes: 'credential', label: 'api-key' })

/** `mint` of the configuration. */
export const mint = z.strictObject(
  {
    url: leaf.httpUrl
      .superRefine((value, context) => {
        if (value.includes('?'))
          leaf.complain(context, [], 'has a query, expected a base URL: remove the query')
        else if (withoutSlash(value).endsWith(mintPath))
          leaf.complain(context, [], `ends with ${mintPath}, which the suite appends: remove that path`)
      })
      .transform(withoutSlash)
      .describe(`The base URL; the suite appends ${mintPath}`),
    apiKey: leaf.credential('api-key').describe('A server key of the project'),
    otherProjectKey: leaf.credential('api-key').optional().describe('A key of a second project'),
    keys: z
      .strictObject(
        {
          trialEnded: stateKey.optional().describe('A key whose trial has ended (402)'),
          suspended: stateKey.optional().describe('A key of a suspended project (403)'),
          capped: stateKey.optional().describe('A key at its mint cap (429)'),
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
      .optional()
      .describe('A tool that prints test tokens of the developer console'),
    userIds: userIds
      .optional()
      .describe('For whom the mint issues tokens; made-up ids that begin with tt- where absent'),
  },
  section,
)

export const fakeMint = z
  .strictObject(
    {
      listen: leaf.listenAddress.describe('host:port on which the double listens'),
      apiKey: leaf.credential('api-key').describe('The key that the backend was given'),
      tls: leaf.flag.default(false).describe("https with the suite's throwaway CA instead of http"),
    },
    section,
  )
  .transform(({ listen, ...others }) => ({ ...listen, ...others }))

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}

export type MintConfiguration = leaf.Output<typeof mint>
/** A key whose account is in a state that cannot be provoked from outside. */
export type StateKey = leaf.Output<typeof stateKey>
export type FakeMintConfiguration = leaf.Output<typeof fakeMint>
/** For whom a mint issues tokens, where it does not for any id. */
export type UserIds = leaf.Output<typeof userIds>
