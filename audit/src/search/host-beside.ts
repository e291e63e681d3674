import type { ScannedFile } from './scanned-file.ts'

const known = new WeakMap<Buffer, { readonly host: string; readonly seen: string | null }>()

/**
 * How the mint's host is written in a file: with its scheme, or, in a program, as a string of its own. `null` where it
 * is not in the file. Looked for once in a file, however many calls it holds.
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
