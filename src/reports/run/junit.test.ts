import { expect, test } from 'vitest'
import { frozenRun } from '../testing/frozen-run.ts'
import { elementsOf, parseXml, textOf, type XmlElement } from '../testing/parse-xml.ts'
import { renderJunit } from './junit.ts'

const document = parseXml(renderJunit(frozenRun))
const cases = new Map(
  elementsOf(document, 'testcase').map((element) => [element.attributes['name']?.split(' ')[0], element]),
)
/** Common part of the schemas of JUnit's readers: attributes (with ! where required) and children, by element. */
const common: Readonly<Record<string, { attributes: string; children: RegExp }>> = {
  testsuites: { attributes: 'name time tests failures errors', children: /^(testsuite )*$/ },
  testsuite: {
    attributes: 'name! tests! failures! errors! skipped time timestamp',
    children: /^(testcase )*$/,
  },
  testcase: { attributes: 'name! classname time', children: /^((failure|error|skipped) )?(system-out )?$/ },
  failure: { attributes: 'type message', children: /^$/ },
  error: { attributes: 'type message', children: /^$/ },
  skipped: { attributes: 'type message', children: /^$/ },
  'system-out': { attributes: '', children: /^$/ },
}

function assertCommon(element: XmlElement): void {
  const rule = common[element.name]
  expect(rule, element.name).toBeDefined()
  const names = rule?.attributes.split(' ') ?? []
  for (const name of Object.keys(element.attributes))
    expect(names.map((known) => known.replace('!', ''))).toContain(name)
  for (const name of names.filter((known) => known.endsWith('!')))
    expect(element.attributes).toHaveProperty(name.slice(0, -1))
  for (const name of ['tests', 'failures', 'errors', 'skipped'])
    if (name in element.attributes) expect(element.attributes[name]).toMatch(/^\d+$/)
  if ('time' in element.attributes) expect(element.attributes['time']).toMatch(/^\d+\.\d{3}$/)
  if ('timestamp' in element.attributes)
    expect(element.attributes['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  const children = element.children.filter((child) => typeof child !== 'string')
  expect(children.map(({ name }) => `${name} `).join('')).toMatch(rule?.children ?? /^$/)
  for (const child of children) assertCommon(child)
}

test('keeps to the schema that the readers of JUnit have in common', () => {
  const [root] = elementsOf(document, 'testsuites')
  expect(root).toBeDefined()
  if (root !== undefined) assertCommon(root)
})

test('has one test case per requirement, named by its id and title, under its part', () => {
  expect([...cases.keys()]).toEqual(frozenRun.checks.map(({ id }) => id))
  expect(elementsOf(document, 'testsuite').map(({ attributes }) => attributes['name'])).toEqual([
    'mint',
    'backend',
    'signaling',
  ])
  expect(cases.get('BACK-01')?.attributes).toMatchObject({
    name: expect.stringMatching(/^BACK-01 \w/),
    classname: 'twotoken.backend',
  })
})

test.each([
  ['MINT-01', []],
  ['MINT-04', ['failure']],
  ['BACK-01', ['error']],
  ['MINT-16', ['skipped']],
  ['MINT-15', ['skipped']],
  ['BACK-14', []],
  ['SIG-08', []],
])('%s comes out as %j', (id, names) => {
  const outcomes = cases.get(id)?.children.flatMap((child) => (typeof child === 'string' ? [] : child.name))
  expect(outcomes?.filter((name) => name !== 'system-out')).toEqual(names)
})

test('a warning says what was seen, in a test case that does not fail', () => {
  const text = textOf(elementsOf(cases.get('BACK-14') ?? document, 'system-out')[0] ?? document)
  expect(text).toBe(
    'the backend hands out tokens that live for minutes (ADVISORY, beyond the specification): warn\nsaw a lifetime of 86400 s; expected at most 3600 s',
  )
})

test('counts what the run counted', () => {
  const [root] = elementsOf(document, 'testsuites')
  const { summary, checks } = frozenRun
  expect(root?.attributes).toMatchObject({
    tests: String(checks.length),
    failures: String(summary.fail),
    errors: String(summary.error),
    time: '5.321',
  })
  const skipped = elementsOf(document, 'testsuite').map(({ attributes }) => Number(attributes['skipped']))
  expect(skipped.reduce((sum, count) => sum + count)).toBe(summary.untested + summary['not-applicable'])
})
