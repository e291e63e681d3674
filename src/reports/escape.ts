/** Everything but tab, line feed and the printable characters that XML 1.0 can hold; half a surrogate pair, too. */
const unprintable = /[^\t\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** Characters that reorder the text around them, so that a line could show something else than it says. */
const reordering = /[\u202A-\u202E\u2066-\u2069]/g

/** Text of a peer as it may stand in a report or on a terminal: no control characters. */
function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(unprintable, '').replace(reordering, '')
}

/** The same on one line. */
export function onOneLine(text: string): string {
  return printable(text)
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('\t', ' ')
    .trim()
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for XML and HTML, as content and inside quoted attributes. */
export function escapeMarkup(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
