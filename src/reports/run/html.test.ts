import { expect, test } from 'vitest'
import { pageAddress } from '../../base/version.ts'
import type { Finding } from '../../requirement/judge.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { addressOfClause } from '../addresses.ts'
import { worstViolation } from '../describe-results.ts'
import { frozenRun } from '../testing/frozen-run.ts'
import { elementsOf, everyElement, parseXml, textOf, type XmlElement } from '../testing/parse-xml.ts'
import { unpackExchanges } from '../testing/unpack-exchanges.ts'
import { anchorOf } from './html/markup.ts'
import { renderHtml } from './html.ts'

const page = renderHtml(frozenRun)
const document = parseXml(page)
const byId = (id: string): XmlElement => {
  const found = everyElement(document).find(({ attributes }) => attributes['id'] === id)
  if (found === undefined) throw new Error(`nothing on the page has the id ${id}`)
  return found
}
const specificationAddress = pageAddress('specification', 'clause-')

test('says at the top how many requirements are violated, and the worst consequence', () => {
  const [header] = elementsOf(document, 'header')
  const violated = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  const said = (header && textOf(header)) ?? ''
  expect(said).toMatch(/acme <staging> & co.*nonconformant/s)
  expect(said).toContain(`${violated.length} of ${frozenRun.checks.length} requirements`)
  expect(violated.flatMap(({ why }) => why ?? []).filter((why) => said.includes(why))).toHaveLength(1)
})

test('names a leak or a takeover before other consequences, and a MUST before both', () => {
  const [failed] = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  const one = (id: string, level: 'MUST' | 'SHOULD', clauses: string[]) =>
    ({ ...failed, id, level, clauses, why: `since ${id}` }) as CheckResult
  const [shape, leak] = [one('A-1', 'MUST', ['4.1']), one('A-2', 'MUST', ['5.2'])]
  const advice = one('A-3', 'SHOULD', ['5.2'])
  expect(worstViolation({ checks: [shape, advice, leak] })?.id).toBe('A-2')
  expect(worstViolation({ checks: [advice, shape] })?.id).toBe('A-1')
  expect(worstViolation({ checks: [] })).toBe(null)
  const expecting = (id: string, expected: string) => ({
    ...one(id, 'MUST', ['2.1.1', '4.2.4']),
    findings: [{ ...failed?.findings[0], verdict: 'fail', expected } as Finding],
  })
  const undefinedToken = expecting('A-4', 'a response without a token (4.2.4)')
  const key = expecting('A-5', 'no key in a response (5.2, 2.1.1)')
  expect(worstViolation({ checks: [undefinedToken, key] })?.id).toBe('A-5')
})

test('has a matrix with every requirement once, in the row of its part, coloured by its verdict', () => {
  const placed = elementsOf(byId('matrix'), 'tr').flatMap((row) => {
    const part = elementsOf(row, 'th').map(textOf)[0]
    return elementsOf(row, 'a').map(({ attributes: { class: name, href } }) => `${part} ${name} ${href}`)
  })
  expect(placed.toSorted()).toEqual(
    frozenRun.checks.map(({ id, role, verdict }) => `${role} tile ${verdict} #${anchorOf(id)}`).toSorted(),
  )
})

test('every link leads to something on the page', () => {
  const ids = everyElement(document).flatMap(({ attributes }) => attributes['id'] ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  const links = elementsOf(document, 'a').map(({ attributes }) => attributes['href'])
  expect(links).toEqual(expect.arrayContaining(['#top', '#to-do', '#matrix', '#log']))
  expect(links.length).toBeGreaterThanOrEqual(frozenRun.checks.length)
  const inside = links.filter((link) => link?.startsWith('#'))
  for (const link of inside) expect(ids.map((id) => `#${id}`)).toContain(link)
  const outside = links.filter((link) => !link?.startsWith('#'))
  expect(outside).toContain(addressOfClause('2.2'))
  for (const link of outside) expect(link?.startsWith(specificationAddress)).toBe(true)
})

test('names a part that no longer served once, before what to change, with all that wait for it', () => {
  const [lost] = frozenRun.checks.filter(({ verdict }) => verdict === 'error')
  const [violated] = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  if (lost === undefined || violated === undefined) throw new Error('the run has no error or no violation')
  const reason = 'control failed: signaling refused the connection'
  const cause = { part: 'signaling', unavailable: 'refusing' } as const
  const waiting = ['SIG-02', 'SIG-03'].map((id) => ({ ...lost, id, reason, cause, findings: [] }))
  const html = renderHtml({ ...frozenRun, checks: [violated, ...waiting] })
  const outages = everyElement(parseXml(html)).find(({ attributes }) => attributes['id'] === 'outages')
  expect(outages && textOf(outages)).toContain(`${reason}2 requirements wait for this one: SIG-02 SIG-03`)
  expect(html.indexOf('id="outages"')).toBeLessThan(html.indexOf('id="to-do"'))
  expect(page).not.toContain('id="outages"')
})

test('shows of a finding what was seen, expected, its clause, its evidence and how to see it again', () => {
  const article = byId('r-MINT-04')
  const text = textOf(article)
  expect(elementsOf(article, 'dd').map(textOf)).toEqual([
    'a token issued (200) to a request without an Authorization header',
    'no token',
    'Check the API key before minting.',
    '200',
    '401',
    'Answer 401.',
  ])
  expect(text).toContain('MUST · clause 2.2')
  const expected = renderHtml({
    ...frozenRun,
    checks: frozenRun.checks.map(({ findings, ...check }) => ({
      ...check,
      findings: findings.map((found) => (found.seen ? { ...found, expected: 'no token (2.2, 7.2)' } : found)),
    })),
  })
  expect(expected).toContain(
    `<dd>no token (<a href="${addressOfClause('2.2')}">2.2</a>, <a href="${addressOfClause('7.2')}">7.2</a>)</dd>`,
  )
  const folds = elementsOf(article, 'details').map(textOf)
  expect(folds[0]).toContain('authorization: Bearer ‹api-key, 48 characters, #1a2b3c4d›')
  expect(text).toContain('no complete response: did not answer within 10 s')
  expect(text).toContain("npx twotoken run --only MINT-04 --config 'my config.yaml' --seed 1234567")
})

test('has every exchange as data, in the same markup as the evidence', () => {
  const data = unpackExchanges(JSON.parse(textOf(byId('exchanges'))))
  expect(data.map(([id]) => id)).toEqual(frozenRun.exchanges.map(({ id }) => id))
  for (const [, html] of data) expect(elementsOf(parseXml(html), 'figure')).toHaveLength(1)
  // Only the marks of a finding are not in the data.
  expect(page.replaceAll(/<\/?mark>/g, '')).toContain(data[1]?.[1])
})

test('a requirement of the client shows the picture of its page, and says how its trace is opened', () => {
  const files = ['CLI-04-1.zip', 'CLI-04-1.png', 'CLI-04-2.png omitted: the page showed a secret']
  const kept = { keptInFolderClient: files }
  const [first, ...others] = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  if (first === undefined) throw new Error('no requirement is violated')
  const page = parseXml(renderHtml({ ...frozenRun, checks: [{ ...first, observations: kept }, ...others] }))
  const valuesOf = (element: string, attribute: string) =>
    elementsOf(page, element).map(({ attributes }) => attributes[attribute] ?? '')
  const picture = './client/CLI-04-1.png'
  expect(valuesOf('a', 'href').filter((link) => link.includes('client/'))).toEqual([picture])
  expect(valuesOf('img', 'src')).toEqual([picture])
  expect(valuesOf('meta', 'content').join()).toContain("img-src data: 'self' file:;")
  expect(textOf(page)).toContain('npx playwright show-trace client/CLI-04-1.zip')
})
