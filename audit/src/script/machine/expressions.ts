import { pay } from '../../model/effort.ts'
import { concatenated } from '../evaluate/operators.ts'
import { makeList } from '../evaluate/value.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { bytesOfThing, placesInStep, stepsOfNode } from './budget.ts'
import { callAt, memberAt, yieldAt } from './calls.ts'
import { decide } from './choices.ts'
import { makeClass } from './classes.ts'
import { ChainEnded } from './exceptions.ts'
import { makeFunction } from './functions.ts'
import { listOf } from './list-items.ts'
import { setExtra } from './members.ts'
import { keyOf } from './names.ts'
import { assignAt, binaryAt, logical, unaryAt, updateAt } from './operations.ts'
import { bigOf } from './operators.ts'
import type { Place, Running } from './running.ts'
import { addAccessor, isThing, Thing, unknown, type Value } from './values.ts'

export function evaluated(running: Running, node: Node | null | undefined, place: Place): Value {
  if (node === null || node === undefined) return undefined
  pay(running.effort, stepsOfNode)
  switch (node.type) {
    case 'Literal': {
      const { bigint, value } = node
      return typeof bigint === 'string' ? bigOf(bigint) : (value as Value)
    }
    case 'Identifier':
      return readName(running, String(node['name']), place)
    case 'TemplateLiteral':
      return madeAt(running, templateText(running, node, place), node)
    case 'TaggedTemplateExpression':
      return madeAt(running, taggedText(running, node, place), node)
    case 'BinaryExpression':
      return madeAt(running, binaryAt(running, node, place), node)
    case 'LogicalExpression':
      return logical(running, String(node['operator']), running.value(nodeAt(node, 'left'), place), () =>
        running.value(nodeAt(node, 'right'), place),
      )
    case 'ConditionalExpression': {
      const [consequent, alternate] = [nodeAt(node, 'consequent'), nodeAt(node, 'alternate')]
      const isFirst = decide(running, nodeAt(node, 'test'), place, consequent, alternate)
      return running.value(isFirst ? consequent : alternate, place)
    }
    case 'UnaryExpression':
      return unaryAt(running, node, place)
    case 'UpdateExpression':
      return updateAt(running, node, place)
    case 'AssignmentExpression':
      return madeAt(running, assignAt(running, node, place), node)
    case 'SequenceExpression': {
      let last: Value
      for (const part of nodesAt(node, 'expressions')) last = running.value(part, place)
      return last
    }
    case 'ThisExpression':
      return place.frame.self
    case 'ArrayExpression': {
      const items = listOf(running, nodesAt(node, 'elements'), place)
      return items
    }
    case 'ObjectExpression':
      return objectAt(running, node, place)
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
      return makeFunction(running, node, place, place.frame.home)
    case 'ClassExpression':
    case 'ClassDeclaration':
      return makeClass(running, node, place)
    case 'MemberExpression':
      return memberAt(running, node, place).value
    case 'ChainExpression':
      return chainAt(running, node, place)
    case 'ParenthesizedExpression':
      return running.value(nodeAt(node, 'expression'), place)
    case 'CallExpression':
      return madeAt(running, callAt(running, node, place), node)
    case 'NewExpression': {
      const callee = running.value(nodeAt(node, 'callee'), place)
      return madeAt(
        running,
        running.construct(callee, listOf(running, nodesAt(node, 'arguments'), place)),
        node,
      )
    }
    case 'AwaitExpression':
      return running.value(nodeAt(node, 'argument'), place)
    case 'YieldExpression':
      return yieldAt(running, node, place)
    case 'MetaProperty':
      return unknown
    case 'Super':
      return unknown
    default:
      return unknown
  }
}

function chainAt(running: Running, node: Node, place: Place): Value {
  try {
    return running.value(nodeAt(node, 'expression'), place)
  } catch (error) {
    if (!(error instanceof ChainEnded)) throw error
    return undefined
  }
}

function madeAt(running: Running, value: Value, node: Node): Value {
  if (typeof value === 'string') running.watched.made(value, node)
  return value
}

function readName(running: Running, name: string, { environment, frame }: Place): Value {
  pay(running.effort, environment.depth / placesInStep)
  const found = environment.read(name)
  if (found !== null) return found.value
  if (name === 'undefined') return undefined
  if (name === 'arguments') {
    makeList(frame.args.length, running.effort)
    return [...frame.args]
  }
  const global = running.library.global(name)
  if (global !== undefined) return global.value
  return name === 'NaN' ? Number.NaN : unknown
}

function objectAt(running: Running, node: Node, place: Place): Thing {
  pay(running.effort, stepsOfNode, bytesOfThing)
  const object = new Thing()
  const inside: Place = { ...place, frame: { ...place.frame, home: object } }
  for (const property of nodesAt(node, 'properties')) {
    if (property === null) continue
    pay(running.effort, stepsOfNode, 32)
    if (property.type === 'SpreadElement') {
      const spread = running.value(nodeAt(property, 'argument'), place)
      if (!isThing(spread)) continue
      makeList(4 * spread.fields.size, running.effort)
      for (const [name, value] of spread.fields) object.fields.set(name, value)
      continue
    }
    const name = keyOf(running, property, place)
    const value = running.value(nodeAt(property, 'value'), inside)
    if (name === null) continue
    const kind = property['kind']
    if (kind === 'get' || kind === 'set') addAccessor(object, name, { [kind]: value })
    else object.fields.set(name, value)
  }
  return object
}

function templateText(running: Running, node: Node, place: Place): string {
  let text = ''
  const expressions = nodesAt(node, 'expressions')
  for (const [index, quasi] of nodesAt(node, 'quasis').entries()) {
    text = concatenated(
      text,
      String((quasi?.['value'] as { cooked?: unknown } | undefined)?.cooked ?? ''),
      running.effort,
    )
    const expression = expressions[index]
    if (expression !== undefined)
      text = concatenated(text, running.textOf(running.value(expression, place)), running.effort)
  }
  return text
}

function taggedText(running: Running, node: Node, place: Place): Value {
  const quasi = nodeAt(node, 'quasi')
  const tag = nodeAt(node, 'tag')
  if (quasi === undefined || tag === undefined) return unknown
  const read = (form: 'cooked' | 'raw'): Value[] =>
    nodesAt(quasi, 'quasis').map((part) =>
      String((part?.['value'] as Record<string, unknown> | undefined)?.[form] ?? ''),
    )
  const strings = read('cooked')
  setExtra(strings, 'raw', read('raw'))
  const values = nodesAt(quasi, 'expressions').map((part) => running.value(part, place))
  const of = tag.type === 'MemberExpression' ? memberAt(running, tag, place) : null
  const called: Value = of === null ? running.value(tag, place) : of.value
  if (isThing(called) && called.call !== null) return running.call(called, of?.self, [strings, ...values])
  // Other tags mostly give their text back as it is.
  return templateText(running, quasi, place)
}
