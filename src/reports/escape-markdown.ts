import { onOneLine } from '../base/printable.ts'

/** Escapes text so that nothing in it is markup, a link or a mention, nor the start of a block. */
export function escapeMarkdown(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*_[\]|~<>$]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;')
    .replace(/^(?=[#+=-])|(?<=^\d+)(?=[.)])/, '\\')
    .replace(linking, (start) => `${start}${nothing}`)
}

/** Nothing to see, and the end of what would be found in the text that is shown. */
const nothing = '<!-- -->'
/** How addresses, mentions and references to issues begin. */
const linking = /:(?=\/\/)|www(?=\.)|@(?=\S)|#(?=\d)|\bGH(?=-\d)/gi
