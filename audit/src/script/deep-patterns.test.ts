import { expect, test } from 'vitest'
import { ofPath, partOf } from '../model/effort.ts'
import { foldStrings } from './fold-strings.ts'
import type { Node } from './parse/scope.ts'

/** A parser whose frames have become small gives trees that are deeper than recursion over them is. */
const depth = 50_000
let places = 0

function node(type: string, fields: Readonly<Record<string, unknown>>): Node {
  places += 1
  return { type, start: places, end: places + 1, ...fields }
}

const name = (text: string) => node('Identifier', { name: text })
const literal = (value: string) => node('Literal', { value })
const sum = (left: Node, right: Node) => node('BinaryExpression', { operator: '+', left, right })
const declared = (id: Node, init: Node) =>
  node('VariableDeclaration', { kind: 'let', declarations: [node('VariableDeclarator', { id, init })] })

function nested(around: (inner: Node) => Node, innermost: Node): Node {
  let made = innermost
  for (let level = 0; level < depth; level++) made = around(made)
  return made
}

function folded(...body: Node[]) {
  const script = { tree: node('Program', { body }), source: '"ac_"+"live_"', prefix: 'ac_live_' }
  return foldStrings(script, partOf(null, ofPath))
}

const key = 'ac_live_9fK2mPq7Rt4Vw8Xy'
const spelled = () => sum(sum(literal('ac_'), literal('live_')), literal(key.slice('ac_live_'.length)))

test.each<[string, (inner: Node) => Node]>([
  ['lists', (inner) => node('ArrayPattern', { elements: [inner] })],
  [
    'objects',
    (value) => node('ObjectPattern', { properties: [node('Property', { key: name('a'), value })] }),
  ],
  ['values in place of none', (left) => node('AssignmentPattern', { left, right: literal('a') })],
])('reads patterns of %s that are deeper than the stack', (_, around) => {
  const { strings, isWhole } = folded(declared(nested(around, name('b')), spelled()))
  expect(strings.map(({ value }) => value)).toContain(key)
  expect(isWhole).toBe(true)
})

const called = (params: Node[], body: Node[], argument: Node) =>
  node('CallExpression', {
    callee: node('FunctionExpression', { params, body: node('BlockStatement', { body }) }),
    arguments: [argument],
  })
const deepBlocks = (innermost: Node) =>
  nested(
    (inner) => node('BlockStatement', { body: [inner] }),
    node('ReturnStatement', { argument: innermost }),
  )

test('knows the argument of a function whose parameter or whose blocks are deeper than the stack', () => {
  const deepParameter = nested((inner) => node('ArrayPattern', { elements: [inner] }), name('b'))
  for (const script of [
    called([deepParameter], [], spelled()),
    called([name('b')], [deepBlocks(name('b'))], spelled()),
  ])
    expect(folded(script).strings.map(({ value }) => value)).toContain(key)
})

test('says so where blocks that are deeper than the stack put the key together', () => {
  const rest = literal(key.slice('ac_'.length))
  const { isWhole } = folded(called([name('b')], [deepBlocks(sum(name('b'), rest))], literal('ac_')))
  expect(isWhole).toBe(false)
})
