/** A strict reader of markup for the tests of the reports: what it takes is well-formed XML. */
export interface MarkupElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (MarkupElement | string)[]
}

const token =
  /<!DOCTYPE html>|<\?xml[^?]*\?>|<\/([A-Za-z][\w-]*)>|<([A-Za-z][\w-]*)((?: [A-Za-z][\w-]*="[^"<]*")*)(\/?)>|([^<]+)/y
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Throws where a tag is left open, an attribute is not quoted, or a character is not allowed. */
export function parseMarkup(text: string): MarkupElement {
  if (forbidden.test(text)) throw new Error('holds a character that XML does not allow')
  const root = { name: '', attributes: {}, children: [] as (MarkupElement | string)[] }
  const open = [root]
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    const parent = open.at(-1)
    if (match === null || parent === undefined) throw new Error(`not well-formed: ${text.slice(at, at + 60)}`)
    const [, closed, opened, attributes = '', empty, content] = match
    if (content !== undefined) parent.children.push(decoded(content))
    else if (closed !== undefined) {
      if (closed !== parent.name) throw new Error(`</${closed}> closes <${parent.name}>`)
      open.pop()
    } else if (opened !== undefined) {
      const element = { name: opened, attributes: attributesOf(attributes), children: [] }
      parent.children.push(element)
      if (empty === '') open.push(element)
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is left open`)
  return root
}

/** Every element of this name, at any depth. */
export function elementsOf(element: MarkupElement, name: string): MarkupElement[] {
  return element.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...elementsOf(child, name)],
  )
}

export function textOf(element: MarkupElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  )
}

function decoded(text: string): string {
  return text.replace(/&([^;\s]*);?/g, (whole, name: string) => {
    const character = whole.endsWith(';') ? entities[name] : undefined
    if (character === undefined) throw new Error(`a bare & or an unknown entity: ${whole}`)
    return character
  })
}
