import type { ScanContext } from '../scan/scan-context.ts'
import { scanValues } from '../scan/unwrap.ts'
import type { Unwrapped } from '../scan/wrapped-values.ts'
import type { FormatFile } from './audited-format.ts'

/** Reads the texts of `wchar_t` and `char32_t` with the prefix of a key: in C they have four bytes a character. */
export function readWideCharacters(audit: ScanContext, { location, format, bytes }: FormatFile): void {
  scanValues(audit, { location, format, bytes, isText: false }, wideTexts(bytes, audit.prefix))
}

const width = 4

/** Writes a prefix in four bytes a character. */
export function widened(prefix: string): Buffer {
  const needle = Buffer.from(prefix, 'utf16le')
  const wide = Buffer.alloc(needle.length * 2)
  for (let at = 0; at < needle.length; at += 2) wide.writeUInt16LE(needle.readUInt16LE(at), at * 2)
  return wide
}

function* wideTexts(bytes: Buffer, prefix: string): Generator<Unwrapped> {
  const wide = widened(prefix)
  for (let at = bytes.indexOf(wide); at !== -1; ) {
    let [start, end] = [at, at + wide.length]
    while (start >= width && isCharacter(bytes, start - width) && at - start < longest) start -= width
    // One alone may be the last one of a text in UTF-16.
    if (at - start === width) start = at
    while (isCharacter(bytes, end) && end - at < longest) end += width
    const codes = Array.from(
      { length: (end - start) / width },
      (_, index) => bytes[start + index * width] ?? 0,
    )
    yield { start, end, bytes: Buffer.from(codes), encoding: 'utf-32' }
    at = bytes.indexOf(wide, end)
  }
}

/** In bytes, on each side of a prefix. */
const longest = 64 * 1024

function isCharacter(bytes: Buffer, at: number): boolean {
  if (at + width > bytes.length) return false
  const code = bytes.readUInt32LE(at)
  return code >= 0x20 && code < 0x7f
}
