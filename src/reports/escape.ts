import { commandAnywhere, printable } from '../base/printable.ts'

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
