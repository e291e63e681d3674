import { shortened } from '../model/location.ts'
import { isRecord } from '../model/token.ts'
import {
  archiveCutOff,
  type OpeningOf,
  type Part,
  type Parts,
  type Problem,
  uncovered,
} from './container-format.ts'
import type { Source } from './source.ts'

const largestHeader = 32 * 1024 * 1024
/** A file has about eight of them. In memory, each takes up to a hundred bytes. */
const mostValues = 1_000_000
const tooLarge = { kind: 'limit', reason: 'the list of the files is longer than the limits allow' } as const
const deepest = 200

export const asar: OpeningOf<'parts'> = {
  opens: 'parts',
  name: 'asar',
  begins: [Buffer.from([4, 0])],
  read: readAsar,
}

/** `null` where the bytes are no asar archive. Unpacked files are beside the archive and not in it. */
function readAsar(source: Source): Parts | null {
  const head = source.read(0, 17)
  if (head.length < 17 || head.readUInt32LE(0) !== 4 || head[16] !== 0x7b) return null
  const headerSize = head.readUInt32LE(4)
  const jsonLength = head.readUInt32LE(12)
  if (jsonLength > headerSize || 16 + jsonLength > source.size) return null
  const unread = (problem: Problem): Parts => ({ entries: [], rest: [[0, source.size]], problem })
  if (jsonLength > largestHeader) return unread(tooLarge)
  const json = source.read(16, 16 + jsonLength).toString('utf8')
  if (valuesInJson(json) > mostValues) return unread(tooLarge)
  let tree: unknown
  try {
    tree = JSON.parse(json)
  } catch {
    return unread(archiveCutOff)
  }
  const headerEnd = 8 + headerSize
  const { entries, isWhole } = listParts(tree, headerEnd, source.size)
  return { entries, rest: uncovered(entries, source.size), problem: isWhole ? null : archiveCutOff }
}

function listParts(tree: unknown, headerEnd: number, size: number) {
  const entries: Part[] = []
  let isWhole = true
  const pending: [string, unknown, number][] = [['', tree, 0]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, node, depth] = next
    if (!isRecord(node)) continue
    if (depth > deepest) {
      isWhole = false
      continue
    }
    const { files, offset, size: length, unpacked } = node as Record<string, unknown>
    if (isRecord(files))
      for (const [name, child] of Object.entries(files)) pending.push([joined(path, name), child, depth + 1])
    else if (typeof offset === 'string' && typeof length === 'number' && unpacked !== true) {
      const start = headerEnd + Number(offset)
      const isInside = Number.isSafeInteger(start) && start >= headerEnd && start <= size && length >= 0
      isWhole &&= isInside && start + length <= size
      if (isInside) entries.push({ name: path, start, end: Math.min(size, start + Math.floor(length)) })
    }
  }
  return { entries: entries.reverse(), isWhole }
}

const longestPath = 4096

/** Each of thousands of files may be in folders with names of any length: then it is called by its own alone. */
function joined(path: string, name: string): string {
  const own = shortened(name)
  if (path === '') return own
  return path.length + own.length > longestPath ? `…/${own}` : `${path}/${own}`
}

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Estimates the number of values in JSON by the commas and brackets outside its strings. */
function valuesInJson(json: string): number {
  let count = 1
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === comma || code === bracket || code === brace) count += 1
    else if (code === quote) at = stringEnd(json, at + 1)
  }
  return count
}

function stringEnd(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at += 1
  }
  return json.length
}
