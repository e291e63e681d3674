import { describe, expect, test } from 'vitest'
import { type AuditFormat, auditFormats, type RunFormat, runFormats } from './formats.ts'
import { hostileAudit, hostileRun, hostileTexts, listActive } from './testing/hostile-texts.ts'
import { everyElement, parseXml, type XmlElement } from './testing/parse-xml.ts'
import { unpackExchanges } from './testing/unpack-exchanges.ts'

const corpus = { ...hostileTexts, 'all of them': Object.values(hostileTexts).join('\n') }
const texts = Object.entries(corpus)

type Render = (text: string) => string

const runs = Object.entries(runFormats).map(async ([name, load]): Promise<[RunFormat, Render]> => {
  const render = await load()
  return [name as RunFormat, (text) => render(hostileRun(text))]
})
const audits = Object.entries(auditFormats).map(async ([name, load]): Promise<[AuditFormat, Render]> => {
  const render = await load()
  return [name as AuditFormat, (text) => render(hostileAudit(text))]
})
const reports = [
  ...(await Promise.all(runs)).map(([name, render]) => [`run, ${name}`, name, render] as const),
  ...(await Promise.all(audits)).map(([name, render]) => [`audit, ${name}`, name, render] as const),
]

/** The elements of a document and the names of their attributes, without any text, and without marks of words that a text has. */
function skeletonOf(xml: XmlElement): string[] {
  const elements = everyElement(xml).filter(
    ({ name, attributes }) => name !== 'mark' || Object.keys(attributes).length > 0,
  )
  return elements.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))
}

const linksOf = (xml: XmlElement) =>
  everyElement(xml).flatMap(({ attributes }) => [attributes['href'] ?? []].flat())

/** The page without its own style and script, which no parser of XML has to read. */
const pageOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<script type="module">.*?<\/script>/s, '')
    .replace('<!DOCTYPE html>', '')

/** The elements that the script of the page adds, from the data in it. */
function addedTo(html: string): string[] {
  const [, json] = /<script type="application\/json" id="exchanges">(.*?)<\/script>/s.exec(html) ?? []
  if (json === undefined) return []
  return unpackExchanges(JSON.parse(json)).flatMap(([, markup]) => skeletonOf(parseXml(markup)))
}

const marks = /[\\`*_[\]|~<>$]/g
/** The characters of Markdown that are not escaped. */
const unescaped = (markdown: string) =>
  markdown
    .replace(/<!-- -->/g, '')
    .replace(/\\[\p{P}\p{S}]/gu, '')
    .replace(/`[^`]*`/g, '')
    .match(marks)
    ?.join('')

/** Lists the beginning of each line: headings, items and quotes, also inside each other. */
const blocksOf = (markdown: string) =>
  markdown.split('\n').map((line) => /^(?:\s|[-+*] |#+ |\d+[.)] |>)*/.exec(line)?.[0])

/** The messages of a log, in which a link would be followed. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  )
}

const isData = (name: string) => /^(?:json|sarif|ctrf)$/.test(name)
const isMarkup = (name: string) => /^(?:html|junit)$/.test(name)

describe.each(reports)('%s', (_, name, render) => {
  const harmless = render('word')

  test.each(texts)('%s is inert', (__, text) => {
    const said = render(text)
    const lines =
      name === 'github'
        ? said.replace(/^::(?:error|warning|notice) file=[^:,\n]*,title=[^:,\n]*::/gm, '')
        : said
    expect(listActive(lines)).toEqual([])
    if (isData(name)) expect(() => JSON.parse(said)).not.toThrow()
    if (name === 'html') {
      expect(skeletonOf(parseXml(pageOf(said)))).toEqual(skeletonOf(parseXml(pageOf(harmless))))
      expect(addedTo(said)).toEqual(addedTo(harmless))
      for (const href of linksOf(parseXml(pageOf(said)))) expect(href).toMatch(/^#[\w.-]+$/)
    } else if (isMarkup(name)) expect(skeletonOf(parseXml(said))).toEqual(skeletonOf(parseXml(harmless)))
    if (name === 'github' || name === 'text')
      expect(said.split('\n')).toHaveLength(harmless.split('\n').length)
    if (name === 'markdown') {
      expect(unescaped(said)).toBe(unescaped(harmless))
      expect(blocksOf(said)).toEqual(blocksOf(harmless))
      expect(said.split('\n')).toHaveLength(harmless.split('\n').length)
      expect(said.replace(/`[^`]*`/g, '')).not.toMatch(/https?:\/\/|www\.|@\w|#\d|GH-\d/)
    }
    if (name === 'sarif') for (const message of textsIn(JSON.parse(said))) expect(message).not.toContain('](')
  })
})

test('JSON is the same data, whatever was escaped in it', async () => {
  const render = await auditFormats.json()
  for (const text of Object.values(corpus)) {
    const { findings, gaps, audited } = hostileAudit(text)
    expect(JSON.parse(render({ findings, gaps, audited }))).toMatchObject({ findings, gaps, audited })
  }
})
