/** Everything but tab, line feed and the printable characters that XML 1.0 allows; also half a surrogate pair. */
const unprintable = /[^\t\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** Bidirectional controls, which could make a line look different from its text. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/g

/** What a reader does not see: also soft hyphens, joiners and spaces of no width. */
export const invisible = new RegExp(`${unprintable.source}|\\p{Cf}`, 'gu')

/** Text of a peer without control characters, for a report or a terminal. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(unprintable, '').replace(reordering, '')
}

/** Text of a peer on one line, without control characters. */
export function onOneLine(text: string): string {
  return printable(text)
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').trim())
    .filter((line) => line !== '')
    .join(' ')
}
