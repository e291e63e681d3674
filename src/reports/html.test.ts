import { expect, test } from 'vitest'
import { frozenRun, hostileText } from './frozen-run.ts'
import { renderHtml } from './html.ts'
import { elementsOf, parseMarkup, textOf } from './parse-markup.ts'

const page = renderHtml(frozenRun)
const document = parseMarkup(page)
const sections = elementsOf(document, 'section')
const sectionOf = (title: string) =>
  sections.find((section) => textOf(elementsOf(section, 'h2')[0] ?? section).startsWith(title))
const articles = (title: string) => elementsOf(sectionOf(title) ?? document, 'article')

test('says the outcome at the top, before any section', () => {
  const [header] = elementsOf(document, 'header')
  expect(header && textOf(header)).toMatch(/acme <staging> & co.*nonconformant/s)
  expect(page.indexOf('nonconformant</strong>')).toBeLessThan(page.indexOf('<section>'))
})

test('groups the findings by verdict', () => {
  expect(articles('Violations').map(({ attributes }) => attributes['id'])).toEqual(['MINT-04', 'BACK-08'])
  expect(articles('Lost').map(({ attributes }) => attributes['id'])).toEqual(['BACK-01'])
  expect(articles('Warnings').map(({ attributes }) => attributes['id'])).toEqual(['BACK-14', 'SIG-08'])
})

test('shows of a finding what was seen, expected, its clause and its evidence', () => {
  const [article] = articles('Violations')
  const text = textOf(article ?? document)
  expect(elementsOf(article ?? document, 'dd').map(textOf)).toEqual([
    'a token issued (200) to a request without an Authorization header',
    'no token',
    '200',
    '401',
  ])
  expect(text).toContain('MUST, clause 2.2')
  const folds = elementsOf(article ?? document, 'details').map(textOf)
  expect(folds).toHaveLength(3)
  expect(folds[0]).toContain('authorization: Bearer ‹api-key, 48 characters, #1a2b3c4d›')
  expect(folds[2]).toContain('no whole answer: did not answer within 10 s')
})

test('shows the events of a socket, and why a warning is only one', () => {
  const text = textOf(articles('Warnings')[1] ?? document)
  expect(text).toContain('+12 ms  frame    {"type":"welcome"}')
  expect(text).toContain('waived until 2027-03-31: close code lands in March')
})

test('lists what is recorded, and what was not judged with the reason', () => {
  expect(textOf(sectionOf('What it does') ?? document)).toMatch(/mint\.tokenField\s*"token"/)
  const left = textOf(sectionOf('What was not judged') ?? document)
  expect(left).toContain("SIG-22 SIG-25untested: needs token.jwks, the service's published keys")
  expect(left).toContain('MINT-15not-applicable: declared absent (trial): paid plans only')
})

test('holds hostile text as text, and loads nothing', () => {
  expect(elementsOf(document, 'script')).toEqual([])
  expect(page).not.toContain(hostileText)
  expect(page).not.toMatch(/\ssrc=|\shref=|url\(|@import/)
  expect(textOf(document)).toContain(hostileText)
})

test('a run in which nothing happened is a page, too', () => {
  const empty = {
    ...frozenRun,
    checks: [],
    observations: {},
    exchanges: [],
    interrupted: true as const,
    summary: { pass: 0, fail: 0, warn: 0, info: 0, 'not-applicable': 0, untested: 0, error: 0 },
  }
  const bare = parseMarkup(renderHtml(empty))
  expect(elementsOf(bare, 'section')).toEqual([])
  expect(textOf(bare)).toContain('The run was interrupted')
})
