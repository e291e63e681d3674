import { query } from 'jsonpath-rfc9535'
import { parsedJson } from '../../base/http/incoming.ts'
import type { Cue } from './carriages/registry.ts'
import type { SignalingEvent } from './event-log.ts'
import type { MessageCodec } from './message-codec.ts'
import type { FailureSign, FrameSign, MessageSign, SuccessSign } from './signs.ts'

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
    const json = parsedJson(event.text) as Json | undefined
    if (json === undefined) return undefined
    return signs.find((sign) => 'frame' in sign && matchesFrame(json, sign.frame))
  }
  return signs.find(
    (sign) =>
      (event.type === 'http' && 'http' in sign && sign.http.includes(event.code ?? 0)) ||
      (event.type === 'close' && 'close' in sign && sign.close.includes(event.code ?? 0)),
  )
}

/** Says whether the messages wait for this event. */
export function isCue(cue: Cue, event: SignalingEvent, codec: MessageCodec): boolean {
  return cue === 'open' ? event.type === 'open' : findSign([cue], event, codec) !== undefined
}

/** A sign in words, for a reader of the report. */
export function describeMessageSign(sign: MessageSign): string {
  if ('text' in sign) return `a frame that begins with ${JSON.stringify(sign.text.startsWith)}`
  return `a frame with ${JSON.stringify(sign.frame.equals)} at ${sign.frame.path}`
}

type Json = Parameters<typeof query>[0]

function matchesFrame(json: Json, { path, equals }: FrameSign['frame']): boolean {
  try {
    return query(json, path).some((value) => value === equals)
  } catch {
    // The path was checked with the profile, so only a frame nested too deeply throws here.
    return false
  }
}
