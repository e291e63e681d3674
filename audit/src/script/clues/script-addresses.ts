/** Addresses that are scripts themselves: `data:text/javascript,…`, in a page also `javascript:…`. */

export const scriptInData = /data:(?:text|application)\/(?:x-)?(?:java|ecma)script[^,"'`<>\s]{0,60},/i

/** The script that an address is; `null` where it is another address. */
export function scriptOfAddress(address: string): string | null {
  const [head = ''] = /^\s*javascript:/i.exec(address) ?? []
  if (head !== '') return withoutPercent(address.slice(head.length))
  const found = scriptInData.exec(address)
  if (found === null || address.slice(0, found.index).trim() !== '') return null
  const content = address.slice(found.index + found[0].length)
  return /;\s*base64\s*,$/i.test(found[0])
    ? Buffer.from(withoutPercent(content), 'base64').toString('latin1')
    : withoutPercent(content)
}

/** Decodes percent escapes, and leaves all other text as it is. */
function withoutPercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const named: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  lowbar: '_',
  UnderBar: '_',
  nbsp: ' ',
  lpar: '(',
  rpar: ')',
  plus: '+',
  comma: ',',
  semi: ';',
  period: '.',
}

/** An attribute of a page as its program reads it. */
export function withoutEntities(attribute: string): string {
  return attribute.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([A-Za-z]{2,8}));?/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
    },
  )
}
