import { z } from 'zod'
import { complain } from '../base/schema/complain.ts'
import * as leaf from '../base/schema/leaves.ts'
import { carriages } from '../roles/signaling/carriages/registry.ts'
import { subprotocolName } from '../roles/signaling/carriages/subprotocol.ts'
import { declaredUserSchema } from '../roles/signaling/declared-users/registry.ts'
import { failureSign, successSign } from '../roles/signaling/signs.ts'

/** The signaling profile as it is written: how a service does what the specification leaves open. */

const failureSigns = z.array(failureSign, { error: 'a list of signs' })

export const profile = z
  .strictObject(
    {
      carriage: carriages.schema.describe('Where the calling token travels'),
      subprotocols: z
        .array(subprotocolName, { error: 'a list of subprotocols' })
        .exactOptional()
        .describe("Offered in every attempt, before the carriage's own"),
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
          success: leaf.text().exactOptional().describe('A frame that tells a client it was accepted'),
          unauthorized: leaf
            .text()
            .exactOptional()
            .describe('A frame that tells a client it was refused as 401'),
        })
        .prefault({})
        .describe('What a double sends to a client under test; made from the signs where absent'),
      timeoutMs: leaf.positiveMs.default(8000).describe('How long an attempt may take without any sign'),
      settleMs: leaf.milliseconds.default(300).describe('How long the socket is watched after success'),
    },
    { error: 'a mapping with carriage and success' },
  )
  .superRefine((written, context) => {
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
