import { commandAnywhere, onOneLine, printable } from '../base/printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '##': '&#35;&#35;',
  '::': '&#58;&#58;',
}

/** Text for XML and HTML, as content and inside quoted attributes. */
export function escapeMarkup(text: string): string {
  return printable(text).replace(
    /[&<>"']|##(?=\[|vso\[|teamcity\[)|::/gi,
    (characters) => entities[characters] ?? '',
  )
}

/** JSON whose texts a console shows and does not follow: the same data, with more of it escaped. */
export function inertJson(json: string): string {
  return json
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
      [...Array(character.length).keys()].map((index) => escaped(character.charCodeAt(index))).join(''),
    )
    .replace(commandAnywhere, escaped(0x23).repeat(2))
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

export function writeJson(value: unknown): string {
  return `${inertJson(JSON.stringify(value, null, 2))}\n`
}

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
