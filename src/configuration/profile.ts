import { z } from 'zod'
import { complain } from '../base/schema/complain.ts'
import * as leaf from '../base/schema/leaves.ts'
import { findBinaryFaults } from '../roles/signaling/binary-profile.ts'
import { carriages } from '../roles/signaling/carriages/registry.ts'
import { subprotocolName } from '../roles/signaling/carriages/subprotocol.ts'
import { declaredUserSchema } from '../roles/signaling/declared-users/registry.ts'
import { sentName } from '../roles/signaling/sent-name.ts'
import { failureSign, successSign } from '../roles/signaling/signs.ts'
import { complainOfPlaceholders } from './unfilled-placeholders.ts'

/** The signaling profile as it is written: how a service does what the specification leaves open. */

const ticket = z
  .strictObject(
    {
      url: leaf.httpUrl.describe('Where the calling token is exchanged'),
      method: z.enum(['POST', 'GET'], { error: 'POST or GET' }).default('POST').describe('The method'),
      header: sentName
        .default('Authorization')
        .describe('The header with the calling token: as a bearer token in Authorization, else as it is'),
      token: leaf.jsonPath.describe('Where the ticket is in the JSON of the response'),
    },
    { error: '{ url: …, token: … }' },
  )
  .describe('The calling token is exchanged for a ticket before each connection; {jwt} is then the ticket')

const failureSigns = z.array(failureSign, { error: 'a list of signs' })

export const profile = z
  .strictObject(
    {
      carriage: carriages.schema.describe('Where the calling token travels'),
      subprotocols: z
        .array(subprotocolName, { error: 'a list of subprotocols' })
        .exactOptional()
        .describe("Offered in every attempt, before the carriage's own"),
      path: leaf
        .text('a path such as /{random}/websocket; a query belongs to signaling.url', (value) =>
          /^\/[^\s?#]*$/.test(value),
        )
        .exactOptional()
        .describe('Behind that of signaling.url; {random} is another text in every attempt'),
      headers: z
        .record(leaf.token, leaf.text('a value in one line', leaf.isPrintable), {
          error: 'a mapping of names to values',
        })
        .exactOptional()
        .describe('Sent in every upgrade'),
      opening: z
        .array(leaf.text('a message'), { error: 'a list of messages' })
        .exactOptional()
        .describe('Sent as soon as the socket is open, before any message with the token'),
      again: leaf
        .text('text that contains {jwt}', (value) => value.includes('{jwt}'))
        .exactOptional()
        .describe('Message that sends a token on an open socket; those of the carriage where absent'),
      binary: z
        .literal('base64', { error: 'base64' })
        .exactOptional()
        .describe('Frames are binary: messages and beginnings of frames are written in base64'),
      ticket: ticket.exactOptional(),
      declaredUser: declaredUserSchema
        .prefault({ in: 'none' })
        .describe('Where the client states its userId'),
      success: z
        .array(successSign, { error: 'a list of signs' })
        .min(1, { error: 'at least one sign of success' })
        .describe('Signs that the token was accepted'),
      failure: failureSigns.default([]).describe('Signs that the token was refused'),
      unauthorized: failureSigns.default([]).describe('Which events mean 401; may be empty'),
      samples: z
        .strictObject({
          greeting: leaf
            .text()
            .exactOptional()
            .describe('The frame after which a client sends its token, where carriage.after names one'),
          success: leaf.text().exactOptional().describe('A frame that tells a client it was accepted'),
          unauthorized: leaf
            .text()
            .exactOptional()
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
  .superRefine((written, context) => {
    if (written.binary !== undefined)
      for (const { path, fault } of findBinaryFaults(written))
        complain(
          context,
          path,
          `${fault}: with binary it is written in base64 (docs/adapter.md, "Binary frames")`,
        )
    complainOfPlaceholders(written, context)
    if (written.declaredUser.in === 'carriage' && !carriages.carriesUser(written.carriage))
      complain(
        context,
        ['declaredUser'],
        'is carriage, but no template of the carriage contains {userId}: add it there',
      )
    written.success.forEach((sign, index) => {
      if ('quietOpenMs' in sign && sign.quietOpenMs >= written.timeoutMs)
        complain(
          context,
          ['success', index, 'quietOpenMs'],
          `is ${sign.quietOpenMs}, not below timeoutMs (${written.timeoutMs}): make it shorter`,
        )
    })
  })
