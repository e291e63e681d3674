import { z } from 'zod'
import * as leaf from '../../base/schema/leaves.ts'
import { carriages, subprotocolName } from './carriages/registry.ts'
import { declaredUserSchema } from './declared-users/registry.ts'
import { failureSign, successSign } from './signs.ts'

const ticket = z
  .strictObject(
    {
      url: leaf.httpUrl.describe('Where the calling token is exchanged'),
      method: z.enum(['POST', 'GET'], { error: 'POST or GET' }).default('POST').describe('The method'),
      header: leaf.sentName
        .default('Authorization')
        .describe('The header with the calling token: as a bearer token in Authorization, else as it is'),
      token: leaf.jsonPath.describe('Where the ticket is in the JSON of the response'),
    },
    { error: '{ url: …, token: … }' },
  )
  .describe('The calling token is exchanged for a ticket before each connection; {jwt} is then the ticket')

const failureSigns = z.array(failureSign, { error: 'a list of signs' })

/** `signaling.profile` of the configuration: how a service does what the specification leaves open. */
export const profile = z.strictObject(
  {
    carriage: carriages.schema.describe('Where the calling token travels'),
    subprotocols: z
      .array(subprotocolName, { error: 'a list of subprotocols' })
      .optional()
      .describe("Offered in every attempt, before the carriage's own"),
    path: leaf
      .text('a path such as /{random}/websocket; a query belongs to signaling.url', (value) =>
        /^\/[^\s?#]*$/.test(value),
      )
      .optional()
      .describe('Appended to the path of signaling.url; {random} differs in every attempt'),
    headers: z
      .record(leaf.token, leaf.text('a value in one line', leaf.isPrintable), {
        error: 'a mapping of names to values',
      })
      .optional()
      .describe('Sent in every upgrade'),
    opening: z
      .array(leaf.text('a message'), { error: 'a list of messages' })
      .optional()
      .describe('Sent as soon as the socket is open, before any message with the token'),
    again: leaf
      .text('text that contains {jwt}', (value) => value.includes('{jwt}'))
      .optional()
      .describe('Message that sends a token on an open socket; those of the carriage where absent'),
    binary: z
      .literal('base64', { error: 'base64' })
      .exactOptional()
      .describe('Frames are binary: messages and beginnings of frames are written in base64'),
    ticket: ticket.optional(),
    declaredUser: declaredUserSchema.prefault({ in: 'none' }).describe('Where the client states its userId'),
    success: z
      .array(successSign, { error: 'a list of signs' })
      .min(1, { error: 'at least one sign of success' })
      .describe('Signs that the token was accepted'),
    failure: failureSigns.default([]).describe('Signs that the token was refused'),
    unauthorized: failureSigns
      .default([])
      .describe(
        'Which events mean 401; may be empty. The signaling double sends these. After a frame it keeps the socket open unless a close code is listed',
      ),
    samples: z
      .strictObject({
        greeting: leaf
          .text()
          .optional()
          .describe('The frame after which a client sends its token, where carriage.after names one'),
        success: leaf.text().optional().describe('A frame that tells a client it was accepted'),
        unauthorized: leaf
          .text()
          .optional()
          .describe(
            'A frame that tells a client it was refused as 401; where a close code means that, too, it is sent before the close',
          ),
      })
      .prefault({})
      .describe('What a double sends to a client under test; made from the signs where absent'),
    timeoutMs: leaf.positiveMs.default(8000).describe('How long an attempt may take without any sign'),
    settleMs: leaf.milliseconds.default(300).describe('How long the socket is watched after success'),
  },
  { error: 'a mapping with carriage and success' },
)

export type SignalingProfile = leaf.Output<typeof profile>
