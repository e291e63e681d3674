import type { ScannedFile } from './window.ts'

const known = new WeakMap<Buffer, { readonly host: string; readonly seen: string | null }>()

/**
 * Returns how a file writes the mint's host: with its scheme, or, in a program, alone in a string; `null` where it does not.
 * Each file is searched once, however many calls it holds.
 */
export function hostBeside(
  { bytes, isText }: Pick<ScannedFile, 'bytes' | 'isText'>,
  host: string,
): string | null {
  const before = known.get(bytes)
  if (before?.host === host) return before.seen
  const address = ['https', 'http'].map((scheme) => `${scheme}://${host}`).find((one) => holds(bytes, one))
  const seen = address ?? (!isText && holdsAlone(bytes, host) ? host : null)
  known.set(bytes, { host, seen })
  return seen
}

function holds(bytes: Buffer, text: string): boolean {
  return bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))
}

/** Parts of a client's address are strings of their own in many languages. Behind `//` is another scheme's. */
function holdsAlone(bytes: Buffer, host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  for (const [text, unit] of [
    [Buffer.from(name), 1],
    [Buffer.from(name, 'utf16le'), 2],
  ] as const)
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
      const [previous, next] = [bytes[at - unit] ?? 0, bytes[at + text.length] ?? 0]
      // The byte before may be a length, the byte behind is none.
      if (!'./@-'.includes(String.fromCharCode(previous)) && !/[\w.-]/.test(String.fromCharCode(next)))
        return true
    }
  return false
}

/** Shorter names are those that a minifier gave. */
const named = [
  // JSON, YAML, settings, properties and objects of scripts.
  /([A-Za-z_$][\w$.-]{2,63})\\?["'`]?\s{0,8}[:=]\s{0,8}\\?["'`]?$/,
  // Resources of Android, and other XML.
  /\bname\s{0,8}=\s{0,8}["']([\w$.-]{3,64})["'][^<>]{0,200}>\s{0,8}["']?$/,
  // Property lists.
  /<key>([\w$. -]{3,64})<\/key>\s{0,40}<(?:string|data)>\s{0,40}$/,
]
const longest = 400

/** The name of a value in a text, directly before it; `undefined` without one. */
export function nameBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - longest), at)
  for (const pattern of named) {
    const [, name] = pattern.exec(before) ?? []
    if (name !== undefined) return name
  }
  return undefined
}

/** The same of a value that is encoded, of which a part may be before the place. */
export function nameBeforeEncoded(text: string, at: number): string | undefined {
  const [part = ''] = /[A-Za-z0-9+/]{0,512}$/.exec(text.slice(Math.max(0, at - 512), at)) ?? []
  return nameBefore(text, at - part.length)
}

const given = new WeakMap<Buffer, { readonly text: string; left: number }>()

/** Looks at a whole file that one file may cost. */
const mostLooks = 64

/** A file as a text, a character for each byte; empty once it was asked for too often, since each look takes long. */
export function wholeTextOf(bytes: Buffer): string {
  const known = given.get(bytes) ?? { text: bytes.toString('latin1'), left: mostLooks }
  given.set(bytes, known)
  known.left -= 1
  return known.left < 0 ? '' : known.text
}

const leastHeader = 8
const mostParts = 5

/** Gives each run of a text that reads like a JWS or a JWE: two dots at least, and a first part that begins or ends one. */
export function* tokensIn(value: string): Generator<string> {
  for (const [run] of value.matchAll(/[A-Za-z0-9_.-]{11,}/g)) {
    const parts = run.split('.')
    for (let at = 0; at + 2 < parts.length; at++) {
      const first = parts[at] ?? ''
      const start = first.search(/e[wy]/)
      if (start === -1 || first.length - start < leastHeader || parts[at + 1] === '') continue
      const rest = parts.slice(at + 1, at + mostParts)
      yield [first.slice(start), ...rest].join('.')
      at += rest.length
    }
  }
}
