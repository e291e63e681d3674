import { randomBytes } from 'node:crypto'
import type { Credential } from './template.ts'

/** Literals in base64, placeholders, and groups such as `{u16:…}`, whose length is sent before them. */
export type BinaryTemplate = readonly Part[]

type Part =
  | { readonly literal: Buffer }
  | { readonly placeholder: Placeholder }
  | { readonly length: Length; readonly inside: BinaryTemplate }

type Placeholder = keyof Credential | 'random'
type Length = 'u8' | 'u16' | 'u32' | 'varint'

const fixedBytes: Readonly<Record<Exclude<Length, 'varint'>, number>> = { u8: 1, u16: 2, u32: 4 }
/** LEB128, of which five bytes are enough for 32 bits. */
const longestVarint = 5
const randomCharacters = 8
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const opening = /\{(?:(?<placeholder>jwt|userId|random)\}|(?<length>u8|u16|u32|varint):)/y

export interface TemplateFault {
  readonly fault: string
}

export function parseBinaryTemplate(text: string): BinaryTemplate | TemplateFault {
  let at = 0
  const readParts = (isGroup: boolean): Part[] | TemplateFault => {
    const parts: Part[] = []
    for (;;) {
      const end = text.slice(at).search(/[{}]/)
      const letters = end < 0 ? text.slice(at) : text.slice(at, at + end)
      if (!base64.test(letters)) return { fault: `has no base64 at character ${at + 1}` }
      if (letters !== '') parts.push({ literal: Buffer.from(letters, 'base64') })
      at += letters.length
      if (at === text.length) return isGroup ? { fault: 'lacks the } of a group' } : parts
      if (text[at] === '}') {
        at += 1
        return isGroup ? parts : { fault: `has a } too many at character ${at}` }
      }
      const part = readPart()
      if ('fault' in part) return part
      parts.push(part)
    }
  }
  const readPart = (): Part | TemplateFault => {
    opening.lastIndex = at
    const { 0: read = '', groups } = opening.exec(text) ?? {}
    const { placeholder, length } = (groups ?? {}) as { placeholder?: Placeholder; length?: Length }
    at += read.length
    if (placeholder !== undefined) return { placeholder }
    if (length === undefined) return { fault: `has an unknown placeholder at character ${at + 1}` }
    const inside = readParts(true)
    return 'fault' in inside ? inside : { length, inside }
  }
  const parts = readParts(false)
  return 'fault' in parts ? parts : (findAmbiguity(parts) ?? parts)
}

/** Where a placeholder ends must be seen in the bytes: at its group's end, or before a literal. */
function findAmbiguity(parts: BinaryTemplate): TemplateFault | null {
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    if ('placeholder' in part && next !== undefined && !('literal' in next))
      return { fault: `has {${part.placeholder}} before another placeholder, without bytes between them` }
    const inner = 'inside' in part ? findAmbiguity(part.inside) : null
    if (inner !== null) return inner
  }
  return null
}

/** The bytes with the credential in its place, as UTF-8; null where a text is too long for the length before it. */
export function fillBinary(template: BinaryTemplate, credential: Credential): Buffer | null {
  const filled: Buffer[] = []
  for (const part of template) {
    const bytes = fillPart(part, credential)
    if (bytes === null) return null
    filled.push(bytes)
  }
  return Buffer.concat(filled)
}

function fillPart(part: Part, credential: Credential): Buffer | null {
  if ('literal' in part) return part.literal
  if ('placeholder' in part)
    return part.placeholder === 'random'
      ? Buffer.from(randomBytes(randomCharacters).toString('hex').slice(0, randomCharacters))
      : Buffer.from(credential[part.placeholder] ?? '')
  const inside = fillBinary(part.inside, credential)
  const length = inside === null ? null : writeLength(part.length, inside.length)
  return inside === null || length === null ? null : Buffer.concat([length, inside])
}

function writeLength(kind: Length, length: number): Buffer | null {
  if (kind === 'varint') {
    const bytes: number[] = []
    let rest = length
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
    return Buffer.of(...bytes, rest)
  }
  const size = fixedBytes[kind]
  if (length >= 2 ** (8 * size)) return null
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(length, 0, size)
  return bytes
}

/** The values in a message, which may have more behind; null where it is not of this form. */
export function readBinary(template: BinaryTemplate, message: Buffer): Credential | null {
  return readParts(template, message)?.found ?? null
}

interface Read {
  readonly found: Credential
  readonly end: number
}

/** Takes time in proportion to the message, since a placeholder ends where the next literal first comes. */
function readParts(template: BinaryTemplate, message: Buffer): Read | null {
  let found: Credential = { jwt: null, userId: null }
  let end = 0
  for (const [index, part] of template.entries()) {
    const rest = message.subarray(end)
    if ('literal' in part) {
      if (!rest.subarray(0, part.literal.length).equals(part.literal)) return null
      end += part.literal.length
    } else if ('placeholder' in part) {
      const next = template[index + 1]
      const length = next !== undefined && 'literal' in next ? rest.indexOf(next.literal) : rest.length
      if (length < 0) return null
      if (part.placeholder !== 'random')
        found = { ...found, [part.placeholder]: rest.subarray(0, length).toString('utf8') }
      end += length
    } else {
      const length = readLength(part.length, rest)
      if (length === null || length.value > rest.length - length.size) return null
      const inside = rest.subarray(length.size, length.size + length.value)
      const inner = readParts(part.inside, inside)
      if (inner === null || inner.end < inside.length) return null
      found = { jwt: inner.found.jwt ?? found.jwt, userId: inner.found.userId ?? found.userId }
      end += length.size + length.value
    }
  }
  return { found, end }
}

function readLength(kind: Length, bytes: Buffer): { readonly value: number; readonly size: number } | null {
  if (kind !== 'varint') {
    const size = fixedBytes[kind]
    return bytes.length < size ? null : { value: bytes.readUIntBE(0, size), size }
  }
  let value = 0
  for (let size = 1; size <= longestVarint; size += 1) {
    const byte = bytes[size - 1]
    if (byte === undefined) return null
    value += (byte & 0x7f) * 128 ** (size - 1)
    if (byte < 0x80) return { value, size }
  }
  return null
}
