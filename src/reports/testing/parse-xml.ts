import { XMLParser, XMLValidator } from 'fast-xml-parser'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

/** An element of the parser: its name with its children, its attributes under `:@`, or a text. */
type ParsedNode = Readonly<Record<string, unknown>>

/** Errors that the parser's validation leaves out. */
const forbiddenCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const attributeWithMarkup = /="[^"<]*</
const unknownEntity = /&(?!(?:amp|lt|gt|quot|#35|#39|#58);)/

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  // Besides these, numeric entities: names that XML does not know are rejected above.
  htmlEntities: true,
  processEntities: {
    maxTotalExpansions: Number.MAX_SAFE_INTEGER,
    maxExpandedLength: Number.MAX_SAFE_INTEGER,
  },
})

/** Parses an XML report, SVG or the HTML report; throws where it is not well-formed, or has a foreign entity. */
export function parseXml(text: string): XmlElement {
  if (forbiddenCharacter.test(text)) throw new Error('contains a character that XML does not allow')
  if (attributeWithMarkup.test(text)) throw new Error('has a < inside an attribute')
  const entity = unknownEntity.exec(text)
  if (entity !== null)
    throw new Error(`a bare & or an unknown entity: ${text.slice(entity.index, entity.index + 20)}`)
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw new Error(`not well-formed: ${valid.err.msg} in line ${valid.err.line}`)
  return { name: '', attributes: {}, children: (parser.parse(text) as ParsedNode[]).map(elementOf) }
}

export function elementsOf(element: XmlElement, name: string): XmlElement[] {
  return everyElement(element).filter((one) => one !== element && one.name === name)
}

/** The element and all elements in it, in the order of the document. */
export function everyElement(element: XmlElement): XmlElement[] {
  return [
    element,
    ...element.children.flatMap((child) => (typeof child === 'string' ? [] : everyElement(child))),
  ]
}

export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

function elementOf({ ':@': attributes = {}, ...node }: ParsedNode): XmlElement | string {
  const [[name, content] = ['', []]] = Object.entries(node)
  if (name === '#text') return String(content)
  return {
    name,
    attributes: attributes as XmlElement['attributes'],
    children: (content as ParsedNode[]).map(elementOf),
  }
}
