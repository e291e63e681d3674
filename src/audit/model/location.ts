/** Joins a container's location and the name of what it holds; bytes that cannot be shown are percent-encoded. */
export function inside(container: string, name: string | Buffer): string {
  return `${container}!${printable(name)}`
}

/** What a path ends with, by which formats are told that have no other mark. */
export function lastPart(path: string | Buffer): string {
  const text = typeof path === 'string' ? path : path.toString('utf8')
  return text.slice(text.lastIndexOf('/') + 1)
}

/** Names can hold secrets too: no more of one is left than how it begins. */
export function createNameCleaner(prefix: string): (text: string) => string {
  const key = new RegExp(`(${prefix.replace(/[^A-Za-z0-9_-]/g, '\\$&')})[A-Za-z0-9_-]{6,}`, 'g')
  return (text) =>
    text
      .replace(key, '$1…')
      .replace(/(e[wy][A-Za-z0-9_-]{2})[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*/g, '$1…')
}

/** Control bytes and bytes that are no UTF-8 are percent-encoded. */
export function printable(name: string | Buffer): string {
  const text = typeof name === 'string' ? name : utf8(name)
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (char) =>
    [...Buffer.from(char)].map(percent).join(''),
  )
}

function utf8(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd')) return text
  let shown = ''
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const char = bytes.subarray(at, at + length)
    const read = char.toString('utf8')
    const valid = !read.includes('\ufffd') && Buffer.byteLength(read) === length
    shown += valid ? read : percent(lead)
    at += valid ? length : 1
  }
  return shown
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
