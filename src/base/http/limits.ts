import { z } from 'zod'
import * as leaf from '../schema/leaves.ts'
import { usualOutageSeconds } from '../times.ts'

const paceLimit = z
  .strictObject(
    {
      perSecond: leaf
        .number('a number of requests above 0', (value) => value > 0)
        .optional()
        .describe('Requests per second, evenly spaced'),
      atOnce: leaf
        .integer('a whole number from 1 to 10000', 1, 10_000)
        .optional()
        .describe('Requests in parallel; so many are sent together'),
    },
    { error: '{ perSecond: …, atOnce: … }' },
  )
  .superRefine((written, context) => {
    if (Object.keys(written).length === 0)
      leaf.complain(context, [], 'limits nothing: add perSecond, atOnce or both')
  })

const pace = z.strictObject(
  {
    mint: paceLimit.optional().describe('Pace to the mint; a backend without a pace has the same'),
    backend: paceLimit.optional().describe('To the token route'),
    signaling: paceLimit.optional().describe('Connections to signaling'),
  },
  { error: 'a mapping' },
)

/** How fast the suite's own requests to one part of an implementation may follow each other: as fast as it takes where absent. */
export type PaceLimit = leaf.Output<typeof paceLimit>
export type PaceLimits = leaf.Output<typeof pace>
export const pacedParts = pace.keyof().options
export type PacedPart = keyof PaceLimits

export const limits = z
  .strictObject(
    {
      requestSeconds: leaf.positiveSeconds.default(10).describe('The longest whole exchange'),
      bodyBytes: leaf
        .integer('a whole number of bytes from 1024 to 268435456', 1024, 268_435_456)
        .default(1_048_576)
        .describe('The largest body or frame'),
      backendAnswerSeconds: leaf.positiveSeconds
        .default(15)
        .describe('How soon a backend must answer when the mint does not'),
      neverSeconds: leaf.positiveSeconds
        .optional()
        .describe(
          'No answer for so long counts as never, and fails; 120 or more, since gateways give up after 60. Absent: it is measured, and warns',
        ),
      idleConnections: leaf
        .integer('a whole number from 10 to 5000', 10, 5000)
        .optional()
        .describe(
          'Connections without a credential that SIG-36 holds at once, while a user joins; absent: none',
        ),
      maxTtlWaitSeconds: leaf.positiveSeconds
        .default(90)
        .describe('The longest lifetime that expiry cases wait for'),
      clientSettleSeconds: leaf.positiveSeconds
        .default(15)
        .describe("How soon a client's getAuthToken must settle when the backend does not answer"),
      reconnectSeconds: leaf.positiveSeconds
        .default(60)
        .describe('How long a client may take until it mints again'),
      leewayWarnSeconds: leaf.seconds.default(60).describe('Accepted longer than this after expiry: warn'),
      leewayFailSeconds: leaf.seconds.default(300).describe('Accepted longer than this after expiry: fail'),
      maxMints: leaf
        .integer('a whole number from 0 to 1000000', 0, 1_000_000)
        .optional()
        .describe('Calling tokens that a run may have issued; what would cost more stays untested'),
      pace: pace
        .prefault({})
        .describe(
          "How fast the suite's own requests to a part follow each other, for parts that limit their rate",
        ),
      patienceSeconds: leaf.seconds
        .default(20)
        .describe(
          'How long a request waits in all for a part that limits its rate; four times as long for a backend that fails for a while, and where a part blocks all clients after requests that it has rejected',
        ),
    },
    { error: 'a mapping' },
  )
  .superRefine((written, context) => {
    if (written.leewayWarnSeconds > written.leewayFailSeconds)
      leaf.complain(
        context,
        ['leewayWarnSeconds'],
        `is ${written.leewayWarnSeconds}, above leewayFailSeconds (${written.leewayFailSeconds}): make it the smaller of the two`,
      )
  })

export type Limits = leaf.Output<typeof limits>
export const defaultLimits: Limits = limits.parse({})

/** Seconds without service after which a part counts as down for good. */
export function outageSeconds({ neverSeconds = usualOutageSeconds }: Limits): number {
  return neverSeconds
}
