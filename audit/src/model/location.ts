/** Joins a container's location and the name of what it holds; bytes that cannot be shown are percent-encoded. */
export function inside(container: string, name: string | Buffer): string {
  return `${container}!${shortened(printable(name))}`
}

/** Archives may have names of any length, and each is shown with all that is found in it. */
const longestName = 1024

/** Cut off before a word, so that no part of a secret is left of which the rest is gone. */
export function shortened(name: string): string {
  return name.length > longestName
    ? `${name.slice(0, longestName).replace(/(?<![\w.-])[\w.-]+$/, '')}…`
    : name
}

/** Returns the last part of a path, by which formats without another mark are recognised. */
export function lastPart(path: string | Buffer): string {
  const text = typeof path === 'string' ? path : path.toString('utf8')
  return text.slice(text.lastIndexOf('/') + 1)
}

/** Names can hold secrets too: no more of one is left than how it begins. */
export function createNameCleaner(prefix: string): (text: string) => string {
  const key = new RegExp(`(${prefix.replace(/[^A-Za-z0-9_-]/g, '\\$&')})[A-Za-z0-9_-]{6,}`, 'g')
  let last: readonly [text: string, cleaned: string] = ['', '']
  return (text) => {
    // Mostly the one that was asked for before.
    if (text === last[0]) return last[1]
    const cleaned = text.replace(key, '$1…').replace(/[A-Za-z0-9_.-]{13,}/g, withoutToken)
    last = [text, cleaned]
    return cleaned
  }
}

const shownOfToken = 4
const leastHeader = 8
/** Enough to read the first name of the head behind white space. */
const mostOfHeader = 64
const leastPayload = 4

/** Shortens a token in a run of its characters to its beginning, and keeps everything before the token. */
function withoutToken(run: string): string {
  const parts = run.split('.')
  let start = 0
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const at = headerIn(part)
    if (at !== -1 && (parts[index + 1]?.length ?? 0) >= leastPayload)
      return `${run.slice(0, start + at + shownOfToken)}…`
    start += part.length + 1
  }
  return run
}

/** Finds where the head of a token begins; `-1` in words such as `new-dialog`, which are no object in base64. */
function headerIn(part: string): number {
  for (const { index } of part.matchAll(/e[wy]/g)) {
    const head = part.slice(index, index + mostOfHeader)
    if (head.length >= leastHeader && /^\{\s*"/.test(Buffer.from(head, 'base64url').toString('latin1')))
      return index
  }
  return -1
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
