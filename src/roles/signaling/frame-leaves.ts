import { parsedJson } from '../../base/http/incoming.ts'
import { jsonPaths, type PathAndValue } from '../../base/tokens/json-paths.ts'
import { splitXml } from './xml-leaves.ts'

/** JSON in a text of JSON, in one of XML: more than any protocol nests. */
const deepest = 3
/** Longer than what protocols put before the JSON of a frame: `42/calls,17`, `event: welcome` and `data:`. */
const longestPrefix = 200

/**
 * Every value that a frame states, with a path that names its place: of JSON, of JSON behind a prefix (Socket.IO, server-sent
 * events) or inside a text, of attributes and texts of XML, and of lines `name:value` (STOMP).
 */
export function frameLeaves(text: string): PathAndValue[] {
  return text.split('\u001e').flatMap((message) => leavesOfMessage(withoutZeros(message), 0))
}

/** By hand: a pattern would read on from each of the zeros that a peer puts in the middle. */
function withoutZeros(message: string): string {
  let end = message.length
  while (message[end - 1] === '\0') end -= 1
  return message.slice(0, end)
}

function leavesOfMessage(text: string, depth: number): PathAndValue[] {
  const embedded = splitEmbeddedJson(text)
  const isXml = embedded === null && text.trimStart().startsWith('<')
  const own = embedded !== null ? jsonLeaves(embedded) : isXml ? splitXml(text) : lineLeaves(text)
  if (depth === deepest) return own
  return own.flatMap((leaf) => {
    const { path, value } = leaf
    if (typeof value !== 'string' || !/^\s*[[{<]/.test(value)) return [leaf]
    const inner = leavesOfMessage(value, depth + 1)
    return [leaf, ...inner.map((one) => ({ ...one, path: `${path} > ${one.path}` }))]
  })
}

export interface EmbeddedJson {
  readonly prefix: string
  readonly json: unknown
}

/** JSON, and what stands before it on a frame; null where there is none. */
export function splitEmbeddedJson(text: string): EmbeddedJson | null {
  const whole = parsedJson(text)
  if (whole !== undefined) return { prefix: '', json: whole }
  const start = text.slice(0, longestPrefix).search(/[[{]/)
  if (start <= 0) return null
  const json = parsedJson(text.slice(start))
  return json === undefined ? null : { prefix: text.slice(0, start), json }
}

/** Numbers before the JSON count messages, or name their kind: they are no part of a path. */
function jsonLeaves({ prefix, json }: EmbeddedJson): PathAndValue[] {
  const name = prefix.replaceAll(/[\d\s]/g, '')
  const isEvent = prefix !== '' && Array.isArray(json) && typeof json[0] === 'string'
  // The arguments of an event have a place each, unlike the entries of a list.
  const named = isEvent
    ? Object.fromEntries(json.map((value, place) => [place === 0 ? 'event' : `argument ${place}`, value]))
    : json
  const leaves = jsonPaths(named)
  return name === '' ? leaves : leaves.map(({ path, value }) => ({ path: `${name} ${path}`, value }))
}

function lineLeaves(text: string): PathAndValue[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([\w-]{1,64})\s?[:=]\s?(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ path: name, value: value.trimEnd() }]
  })
}
