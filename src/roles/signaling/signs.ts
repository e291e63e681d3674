import { z } from 'zod'
import { parsedJson } from '../../base/http/incoming.ts'
import * as leaf from '../../base/schema/leaves.ts'
import { valuesAt } from '../../base/tokens/json-paths.ts'
import type { SignalingEvent } from './event-log.ts'
import type { MessageCodec } from './message-codec.ts'

/** The signs by which a profile tells what a service decided, as they are written. */

const frame = z
  .strictObject(
    {
      path: leaf.jsonPath.describe('JSONPath (RFC 9535) into the JSON of a frame'),
      equals: z
        .union([z.string(), z.number(), z.boolean(), z.null()], {
          error: 'text, a number, true, false or null',
        })
        .describe('The value to find there, compared by type and value'),
    },
    { error: '{ path: …, equals: … }' },
  )
  .describe('A frame whose JSON has this value at this path')

export const frameSign = z.strictObject({ frame })

export const textSign = z.strictObject({
  text: z
    .strictObject(
      { startsWith: leaf.text().describe('What the frame begins with') },
      { error: '{ startsWith: … }' },
    )
    .describe('A frame that begins with this text, where the service does not speak JSON'),
})

const statuses = z
  .array(leaf.integer('an HTTP status from 100 to 599', 100, 599), { error: 'a list such as [401, 403]' })
  .min(1, { error: 'at least one HTTP status' })
const closeCodes = z
  .array(leaf.integer('a close code from 1000 to 4999', 1000, 4999), { error: 'a list such as [4401]' })
  .min(1, { error: 'at least one close code' })

export const successSign = z.union(
  [
    frameSign,
    textSign,
    z.strictObject({
      quietOpenMs: leaf.positiveMs.describe('Open for this long without a failure sign counts as success'),
    }),
  ],
  { error: 'one of { frame: … }, { text: … } and { quietOpenMs: … }' },
)

export const failureSign = z.union(
  [
    frameSign,
    textSign,
    z.strictObject({ http: statuses.describe('HTTP statuses that answer the upgrade') }),
    z.strictObject({ close: closeCodes.describe('WebSocket close codes') }),
  ],
  { error: 'one of { frame: … }, { text: … }, { http: […] } and { close: […] }' },
)

/** A frame whose JSON has, at `path` (RFC 9535), a value equal in type and value to `equals`. */
export type FrameSign = leaf.Output<typeof frameSign>
export type MessageSign = FrameSign | leaf.Output<typeof textSign>
export type SuccessSign = leaf.Output<typeof successSign>
export type FailureSign = leaf.Output<typeof failureSign>
/** The socket is open, or a frame of the service shows the sign. */
export type Cue = 'open' | MessageSign

/** The first of the signs that the event shows. Time alone shows `quietOpenMs`, no event does. */
export function findSign<Sign extends SuccessSign | FailureSign>(
  signs: readonly Sign[],
  event: SignalingEvent,
  codec: MessageCodec,
): Sign | undefined {
  if (event.type === 'frame') {
    const text = signs.find(
      (sign) => 'text' in sign && codec.startsWith(event.base64 ?? event.text, sign.text.startsWith),
    )
    if (text !== undefined || !signs.some((sign) => 'frame' in sign)) return text
    const json = parsedJson(event.text)
    if (json === undefined) return undefined
    return signs.find((sign) => 'frame' in sign && matchesFrame(json, sign.frame))
  }
  return signs.find(
    (sign) =>
      (event.type === 'http' && 'http' in sign && sign.http.includes(event.code ?? 0)) ||
      (event.type === 'close' && 'close' in sign && sign.close.includes(event.code ?? 0)),
  )
}

/** A sign in words, for a reader of the report. */
export function describeMessageSign(sign: MessageSign): string {
  if ('text' in sign) return `a frame that begins with ${JSON.stringify(sign.text.startsWith)}`
  return `a frame with ${JSON.stringify(sign.frame.equals)} at ${sign.frame.path}`
}

function matchesFrame(json: unknown, { path, equals }: FrameSign['frame']): boolean {
  try {
    return valuesAt(json, path).some((value) => value === equals)
  } catch {
    // The path was checked with the profile, so only a frame nested too deeply throws here.
    return false
  }
}
