import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Exchange } from '../../base/evidence/exchange.ts'
import { pageAddress } from '../../base/version.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { addressOfClause } from '../addresses.ts'
import { worstViolation } from '../describe-results.ts'
import { frozenRun, hostileText } from '../testing/frozen-run.ts'
import { elementsOf, everyElement, parseXml, textOf, type XmlElement } from '../testing/parse-xml.ts'
import { unpackExchanges } from '../testing/unpack-exchanges.ts'
import { renderExchange } from './html/exchanges.ts'
import { renderForgedToken } from './html/forged-token.ts'
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
const articles = (section: string) => elementsOf(byId(section), 'article')

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
  const [shape, leak, advice] = [
    one('A-1', 'MUST', ['4.1']),
    one('A-2', 'MUST', ['5.2']),
    one('A-3', 'SHOULD', ['5.2']),
  ]
  expect(worstViolation({ checks: [shape, advice, leak] })?.id).toBe('A-2')
  expect(worstViolation({ checks: [advice, shape] })?.id).toBe('A-1')
  expect(worstViolation({ checks: [] })).toBe(null)
  const expecting = (id: string, expected: string) =>
    ({
      ...one(id, 'MUST', ['2.1.1', '4.2.4']),
      findings: [{ ...failed?.findings[0], verdict: 'fail', expected }],
    }) as CheckResult
  const [undefinedToken, key] = [
    expecting('A-4', 'a response without a token (4.2.4)'),
    expecting('A-5', 'no key in a response (5.2, 2.1.1)'),
  ]
  expect(worstViolation({ checks: [undefinedToken, key] })?.id).toBe('A-5')
})

test('has a matrix with every requirement once, in the row of its part, coloured by its verdict', () => {
  const placed = elementsOf(byId('matrix'), 'tr').flatMap((row) => {
    const part = textOf(elementsOf(row, 'th')[0] ?? row)
    return elementsOf(row, 'a').map(
      ({ attributes }) => `${part} ${attributes['class']} ${attributes['href']}`,
    )
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

test('any id can be linked to, also one from a foreign pact', () => {
  for (const id of ['MINT-04', 'PACT consumer: a "quoted" one', '#\u{1F600}', '\uD800', ''])
    expect(anchorOf(id)).toMatch(/^r-[\w.-]*$/)
})

test('groups the findings by verdict', () => {
  const idsOf = (section: string) => articles(section).map(({ attributes }) => attributes['id'])
  expect(idsOf('fail')).toEqual(['r-MINT-04', 'r-BACK-08'])
  expect(idsOf('error')).toEqual(['r-BACK-01'])
  expect(idsOf('warn')).toEqual(['r-BACK-14', 'r-SIG-08'])
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

test('opens with what to change, each with a link to its requirement', () => {
  const list = byId('to-do')
  expect(textOf(list)).toContain('What to change')
  expect(elementsOf(list, 'a').map(({ attributes }) => attributes['href'])).toEqual([
    '#r-MINT-04',
    '#r-BACK-08',
  ])
})

test('lists a change once, with all requirements that ask for it', () => {
  const [check] = frozenRun.checks.filter(({ id }) => id === 'MINT-04')
  if (check === undefined) throw new Error('the frozen run has no such check')
  const page = renderHtml({ ...frozenRun, checks: [check, { ...check, id: 'MINT-05' }] })
  expect(page).toMatch(
    /href="#r-MINT-04"[^\n]*href="#r-MINT-05"[^\n]*<strong>Check the API key before minting/,
  )
  expect(page.match(/<strong>Check the API key before minting/g)).toHaveLength(1)
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
    checks: frozenRun.checks.map((check) => ({
      ...check,
      findings: check.findings.map((found) =>
        found.seen === undefined ? found : { ...found, expected: 'no token (2.2, 7.2)' },
      ),
    })),
  })
  expect(expected).toContain(
    `<dd>no token (<a href="${addressOfClause('2.2')}">2.2</a>, <a href="${addressOfClause('7.2')}">7.2</a>)</dd>`,
  )
  const folds = elementsOf(article, 'details').map(textOf)
  expect(folds[0]).toContain('authorization: Bearer ‹api-key, 48 characters, #1a2b3c4d›')
  expect(folds.at(-1)).toContain('In this run, beside')
  expect(text).toContain('no complete response: did not answer within 10 s')
  expect(text).toContain("npx twotoken run --only MINT-04 --config 'my config.yaml' --seed 1234567")
})

test('shows the events of a socket on one axis, and why a warning is only one', () => {
  const article = byId('r-SIG-08')
  const events = elementsOf(elementsOf(article, 'ol')[0] ?? article, 'li')
  expect(events.map(textOf)).toEqual(['+10 ms↔ open', '+12 ms← frame{"type":"welcome"}', '+33 ms← close1000'])
  const places = events.map((event) =>
    elementsOf(event, 'span').flatMap(({ attributes }) => attributes['style'] ?? []),
  )
  expect(places).toEqual([['--at:30.3%'], ['--at:36.4%'], ['--at:100.0%']])
  expect(textOf(article)).toContain('waived until 2027-03-31: close code lands in March')
})

test('lists what is recorded, and what was not judged with the reason', () => {
  expect(textOf(byId('observed'))).toMatch(/token field\s*token/)
  const left = elementsOf(byId('not-judged'), 'div').map(textOf)
  expect(left).toContainEqual(
    expect.stringMatching(/^\? untested needs token\.jwks, the service's published keysSIG-22 .*SIG-25 /),
  )
  expect(left).toContainEqual(
    expect.stringMatching(/^– not-applicable declared absent \(trial\): paid plans onlyMINT-15 /),
  )
})

test('has every exchange as data, in the same markup as the evidence', () => {
  const data = unpackExchanges(JSON.parse(textOf(byId('exchanges'))))
  expect(data.map(([id]) => id)).toEqual(frozenRun.exchanges.map(({ id }) => id))
  for (const [, html] of data) expect(elementsOf(parseXml(html), 'figure')).toHaveLength(1)
  // Only the marks of a finding are not in the data.
  expect(page.replaceAll(/<\/?mark>/g, '')).toContain(data[1]?.[1])
})

test('the calls of the mint that a request caused are inside of it, unless they may be those of others', () => {
  const [violated] = frozenRun.checks.filter(({ id }) => id === 'BACK-08')
  const request = frozenRun.exchanges.find(({ id }) => id === 'x2')
  if (violated === undefined || request === undefined) throw new Error('the frozen run has no such request')
  const calls = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...request,
      id: `x${index + 20}`,
      from: 'backend' as const,
      to: 'mint-double' as const,
      at: request.at + 1,
    }))
  const article = (count: number) => {
    const html = renderHtml({ ...frozenRun, checks: [violated], exchanges: [request, ...calls(count)] })
    const [found] = elementsOf(parseXml(html), 'article')
    return found === undefined ? '' : textOf(found)
  }
  expect(article(1)).toMatch(/x2.*During this request, the backend called the mint:x20/s)
  expect(article(4)).not.toContain('x20')
})

test('names the cases of an observation that have the same value in one row', () => {
  const observations = { 'mint.errorShapes': { '400': 'JSON', '401': 'JSON', '404': 'HTML' } }
  const rows = elementsOf(parseXml(renderHtml({ ...frozenRun, observations })), 'dt').map(textOf)
  expect(rows).toEqual(expect.arrayContaining(['error shapes', '400, 401', '404']))
})

test('neighbours with the same value that differ in a last word are one row, and abbreviations are written as such', () => {
  const observations = {
    'backend.redirect301': 'followed',
    'backend.redirect302': 'followed',
    'backend.redirect303': 'refused',
    'backend.ttlSeconds': 900,
    'backend.takesSchemeBasic': false,
    'backend.takesSchemeToken': false,
  }
  const rows = elementsOf(parseXml(renderHtml({ ...frozenRun, observations })), 'dt').map(textOf)
  expect(rows.filter((row) => /redirect|TTL|takes/.test(row))).toEqual([
    'redirect 301, 302',
    'redirect 303',
    'TTL, in seconds',
    'takes scheme basic, token',
  ])
})

test('marks the bytes that a finding speaks of: status, header, field and token', () => {
  const [check] = frozenRun.checks.filter(({ id }) => id === 'BACK-08')
  const request = frozenRun.exchanges.find((one) => one.id === 'x2' && one.kind === 'http')
  if (check === undefined || request?.kind !== 'http') throw new Error('the frozen run has no such request')
  const token = '‹calling-jwt, 272 characters, #15222fdb›'
  const exchange = {
    ...request,
    request: { ...request.request, body: '{"userId":"u-bob","ttl":900}' },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [['cache-control', 'public'] as const, ['date', 'today'] as const],
      body: `{"data":{"jwt": "${token}"},"expires":1}`,
    },
  }
  const marked = (seen: string) => {
    const finding = {
      level: 'MUST' as const,
      verdict: 'fail' as const,
      message: seen,
      seen,
      expected: 'another',
      advice: 'Change it.',
      evidence: ['x2'],
    }
    const html = renderHtml({
      ...frozenRun,
      checks: [{ ...check, findings: [finding] }],
      exchanges: [exchange],
    })
    return elementsOf(parseXml(html), 'mark').map(textOf)
  }
  expect(marked('mint calls for the user that a request names as userId')).toEqual(['"userId":"u-bob"'])
  expect(marked('status 200 when the mint answers 401')).toEqual(['200 OK'])
  expect(marked('a token in a response with Cache-Control: public')).toEqual([
    'cache-control: public',
    `"jwt": "${token}"`,
  ])
  expect(marked('no answer')).toEqual([])
})

test('names the files beside it', () => {
  const artefacts = [{ title: 'log of the mint', file: 'mint.log', requirements: ['MINT-04'] }]
  const beside = textOf(parseXml(renderHtml({ ...frozenRun, artefacts })))
  expect(beside).toContain('log of the mint: mint.log MINT-04')
})

test('a requirement of the client shows the picture of its page, and says how its trace is opened', () => {
  const kept = {
    keptInFolderClient: ['CLI-04-1.zip', 'CLI-04-1.png', 'CLI-04-2.png omitted: the page showed a secret'],
  }
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

test('shows hostile text as text, and loads nothing', () => {
  const scripts = elementsOf(document, 'script')
  expect(scripts.map(({ attributes }) => attributes['type'])).toEqual(['application/json', 'module'])
  const hash = createHash('sha256')
    .update(textOf(scripts[1] ?? document))
    .digest('base64')
  const policy = elementsOf(document, 'meta').find(({ attributes }) => 'http-equiv' in attributes)
  expect(policy?.attributes['content']).toMatch(/^default-src 'none';/)
  expect(policy?.attributes['content']).toContain(`script-src 'sha256-${hash}';`)
  expect(page).not.toContain(hostileText)
  expect(page).not.toMatch(/\ssrc=|url\(|@import/)
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
  const bare = parseXml(renderHtml(empty))
  expect(elementsOf(bare, 'section')).toEqual([])
  expect(textOf(bare)).toContain('The run was interrupted')
})

test('an exchange is named by its case, and shows a forged token beside the genuine one, with the differences', () => {
  const shown = renderExchange(frozenRun.exchanges.find(({ token }) => token !== undefined) as Exchange)
  const page = parseXml(shown)
  const text = textOf(page)
  expect(text).toContain('a token with the algorithm "none" and an empty signature')
  const rows = elementsOf(page, 'tr').map((row) =>
    row.children.map((cell) => (typeof cell === 'string' ? cell : textOf(cell))),
  )
  expect(rows).toEqual([
    ['', 'genuine', 'forged', 'differs'],
    ['header alg', '"ES256"', '"none"', 'yes≠'],
    ['header typ', '"JWT"', '"JWT"', ''],
    ['claims sub', '"tt-1"', '"tt-1"', ''],
    ['claims jti', '"j-1"', '"j-1"', ''],
    ['claims iat', '1795000000', '1795000000', ''],
    ['claims exp', '1795000900', '1795000900', ''],
  ])
})

test('a forged token whose claims were cut is shown beside the claims that it lacks', () => {
  const forged = renderForgedToken({
    header: { alg: 'none' },
    claims: null,
    genuine: { header: { alg: 'none' }, claims: { sub: 'tt-1' } },
  })
  const rows = elementsOf(parseXml(forged), 'tr').map((row) =>
    row.children.map((cell) => (typeof cell === 'string' ? cell : textOf(cell))),
  )
  expect(rows.slice(2)).toEqual([
    ['claims', 'a JSON object', 'no JSON object', 'yes≠'],
    ['claims sub', '"tt-1"', '–', 'yes≠'],
  ])
})

test('a violation says why it matters', () => {
  expect(textOf(parseXml(renderHtml(frozenRun)))).toContain(
    'Anyone who finds the endpoint could call as any user.',
  )
})

test('a change for which others wait is first, and its card counts them', () => {
  const [first, second] = frozenRun.checks.filter(({ verdict }) => verdict === 'fail')
  if (first === undefined || second === undefined) throw new Error('the run has no two violations')
  const waits = (id: string) =>
    ({
      ...second,
      id,
      verdict: 'untested',
      findings: [],
      reason: `waits for ${second.id}: until then`,
    }) as CheckResult
  const run = { ...frozenRun, checks: [first, second, waits('BACK-30'), waits('BACK-31')] }
  const changed = parseXml(renderHtml(run))
  const idOf = (element: XmlElement) => textOf(elementsOf(element, 'a')[0] ?? element)
  const [toDo] = everyElement(changed).filter(({ attributes }) => attributes['id'] === 'to-do')
  expect(elementsOf(toDo ?? changed, 'li').map(idOf)).toEqual([second.id, first.id])
  const cards = elementsOf(changed, 'article').filter((card) =>
    textOf(card).includes('2 requirements wait for this one'),
  )
  expect(cards.map(({ attributes }) => attributes['id'])).toEqual([anchorOf(second.id)])
})
