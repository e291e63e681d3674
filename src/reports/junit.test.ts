import { expect, test } from 'vitest'
import { frozenRun } from './frozen-run.ts'
import { renderJunit } from './junit.ts'
import { elementsOf, type MarkupElement, parseMarkup, textOf } from './parse-markup.ts'

const document = parseMarkup(renderJunit(frozenRun))
const cases = new Map(
  elementsOf(document, 'testcase').map((element) => [element.attributes['name'], element]),
)
const outcomes = (element: MarkupElement | undefined) =>
  element?.children.flatMap((child) =>
    typeof child === 'string' || child.name === 'properties' ? [] : [child],
  ) ?? []

test('has one test case per requirement, named by its id, under its part', () => {
  expect([...cases.keys()]).toEqual(frozenRun.checks.map(({ id }) => id))
  expect(elementsOf(document, 'testsuite').map(({ attributes }) => attributes['name'])).toEqual([
    'mint',
    'backend',
    'signaling',
  ])
  expect(cases.get('BACK-01')?.attributes['classname']).toBe('twotoken.backend')
})

test.each([
  ['MINT-01', []],
  ['MINT-04', ['failure']],
  ['BACK-01', ['error']],
  ['MINT-16', ['skipped']],
  ['MINT-15', ['skipped']],
  ['BACK-14', ['system-out']],
  ['SIG-08', ['system-out']],
])('%s comes out as %j', (id, names) => {
  expect(outcomes(cases.get(id)).map(({ name }) => name)).toEqual(names)
})

test('a skipped one says why', () => {
  expect(outcomes(cases.get('MINT-15'))[0]?.attributes['message']).toBe(
    'declared absent (trial): paid plans only',
  )
})

test('counts what the run counted', () => {
  const [root] = elementsOf(document, 'testsuites')
  const { summary, checks } = frozenRun
  expect(root?.attributes).toMatchObject({
    tests: String(checks.length),
    failures: String(summary.fail),
    errors: String(summary.error),
    skipped: String(summary.untested + summary['not-applicable']),
    time: '5.321',
  })
})

test('holds hostile text as text, without its control characters', () => {
  const [failure] = outcomes(cases.get('BACK-08'))
  expect(failure && textOf(failure)).toContain('<script>alert(1)</script> & "quoted" \'single\' ]]>')
  expect(failure && textOf(failure)).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u)
})
