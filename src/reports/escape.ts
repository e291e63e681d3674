import { onOneLine, printable } from '../base/printable.ts'

export { onOneLine }

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
