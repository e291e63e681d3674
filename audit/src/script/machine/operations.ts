import { pay } from '../../model/effort.ts'
import { concatenated } from '../evaluate/operators.ts'
import { charactersInStep } from '../evaluate/value.ts'
import { type Node, nodeAt } from '../parse/scope.ts'
import { bind } from './bindings.ts'
import { mostInherited } from './budget.ts'
import { isInherited } from './inheritance.ts'
import { isOfType, isSymbol } from './library/types.ts'
import { nameOfMember } from './names.ts'
import { binary, looselyEqual, numberOf } from './operators.ts'
import type { Place, Running } from './running.ts'
import {
  isBytes,
  isThing,
  prototypeOf,
  prototypesOf,
  type Thing,
  truthOf,
  unknown,
  type Value,
} from './values.ts'

function operate(running: Running, operator: string, left: Value, right: Value): Value {
  if (operator === '+') {
    const a: Value = primitive(running, left)
    const b: Value = primitive(running, right)
    if (typeof a === 'string' || typeof b === 'string')
      return concatenated(running.textOf(a), running.textOf(b), running.effort)
    if (a === unknown || b === unknown) return unknown
    if (typeof a === 'bigint' || typeof b === 'bigint') return binary('+', a, b)
    return numberOf(a) + numberOf(b)
  }
  if (operator === 'in') {
    if (left === unknown || right === unknown) return unknown
    const name = running.textOf(left)
    const has = isThing(right) ? right.traps?.has : undefined
    if (has?.(name) === true) return true
    return isThing(right) && (right.traps === null || has !== undefined)
      ? isInherited(right, name)
      : running.member(right, name) !== undefined
  }
  if (operator === 'instanceof') {
    const proto = isThing(right) ? prototypeOf(right) : null
    let at = protoOf(left)
    for (let steps = 0; at !== null && steps < mostInherited; at = at.proto, steps++)
      if (at === proto) return true
    const type = isThing(right) ? running.library.typeOf(right) : undefined
    if (type !== undefined) return isOfType(left, type) ?? unknown
    // An object whose class is known is of no other one.
    return left === unknown || (isThing(left) && left.proto === null) ? unknown : false
  }
  if (/^[!=]==?$/.test(operator)) {
    if (left === unknown || right === unknown) return unknown
    if (typeof left === 'string') pay(running.effort, left.length / charactersInStep)
    const isEqual = operator.length === 3 ? left === right : looselyEqual(left, right)
    return isEqual === operator.startsWith('=')
  }
  if (typeof left === 'string') pay(running.effort, left.length / charactersInStep)
  return binary(operator, left, right)
}

function protoOf(value: Value): Thing | null {
  if (isThing(value)) return value.proto
  return Array.isArray(value) || isBytes(value) ? (prototypesOf.get(value) ?? null) : null
}

function primitive(running: Running, value: Value): Value {
  if (Array.isArray(value)) return running.textOf(value)
  if (!isThing(value)) return value
  const isText = ['toString', 'valueOf', '@@toPrimitive'].some((name) => value.fields.has(name))
  return isText || value.proto !== null || value.accessors.size > 0 ? running.textOf(value) : unknown
}

export function binaryAt(running: Running, node: Node, place: Place): Value {
  if (node['operator'] !== '+')
    return operate(
      running,
      String(node['operator']),
      running.value(nodeAt(node, 'left'), place),
      running.value(nodeAt(node, 'right'), place),
    )
  // Long sums are walked along their left side.
  const rights: Node[] = []
  let left: Node | undefined = node
  while (left?.type === 'BinaryExpression' && left['operator'] === '+') {
    const right = nodeAt(left, 'right')
    if (right !== undefined) rights.push(right)
    left = nodeAt(left, 'left')
  }
  let total = running.value(left, place)
  for (const right of rights.reverse()) total = operate(running, '+', total, running.value(right, place))
  return total
}

export function logical(running: Running, operator: string, left: Value, right: () => Value): Value {
  if (operator === '??') return left === null || left === undefined || left === unknown ? right() : left
  const holds = truthOf(left)
  if (holds === undefined) running.hasChosen = true
  if (operator === '&&')
    return holds === false || (holds === undefined && running.way.isOther) ? left : right()
  return holds === true ? left : right()
}

export function unaryAt(running: Running, node: Node, place: Place): Value {
  const operator = String(node['operator'])
  if (operator === 'delete') return remove(running, nodeAt(node, 'argument'), place)
  const value = running.value(nodeAt(node, 'argument'), place)
  switch (operator) {
    case '!': {
      const holds = truthOf(value)
      return holds === undefined ? unknown : !holds
    }
    case 'void':
      return undefined
    case 'typeof':
      if (value === unknown) return unknown
      if (isSymbol(value)) return 'symbol'
      return isThing(value) ? (value.call === null ? 'object' : 'function') : typeof value
  }
  const plain = primitive(running, value)
  if (plain === unknown) return unknown
  if (typeof plain === 'bigint') return operator === '-' ? -plain : operator === '~' ? ~plain : unknown
  const number = numberOf(plain)
  return operator === '-' ? -number : operator === '+' ? number : operator === '~' ? ~number : unknown
}

/** Takes a property away. */
function remove(running: Running, target: Node | undefined, place: Place): boolean {
  const member = target?.type === 'ChainExpression' ? nodeAt(target, 'expression') : target
  if (member?.type !== 'MemberExpression') return true
  const object = running.value(nodeAt(member, 'object'), place)
  const name = nameOfMember(running, member, place)
  if (!isThing(object) || name === null) return true
  if (object.traps?.remove !== undefined) {
    object.traps.remove(name)
    return true
  }
  object.fields.delete(name)
  object.accessors.delete(name)
  return true
}

export function updateAt(running: Running, node: Node, place: Place): Value {
  const target = nodeAt(node, 'argument')
  if (target === undefined) return unknown
  const before = running.value(target, place)
  const by = node['operator'] === '++' ? 1 : -1
  if (typeof before === 'bigint') {
    const after = before + BigInt(by)
    bind(running, target, after, place, 'write')
    return node['prefix'] === true ? after : before
  }
  const after = before === unknown || isThing(before) ? unknown : numberOf(before) + by
  bind(running, target, after, place, 'write')
  return node['prefix'] === true ? after : before === unknown || isThing(before) ? unknown : numberOf(before)
}

export function assignAt(running: Running, node: Node, place: Place): Value {
  const operator = String(node['operator'])
  const left = nodeAt(node, 'left')
  if (left === undefined) return unknown
  if (operator === '=') {
    const value = running.value(nodeAt(node, 'right'), place)
    bind(running, left, value, place, 'write')
    return value
  }
  const before = running.value(left, place)
  const right = () => running.value(nodeAt(node, 'right'), place)
  const value = /^(?:\|\||&&|\?\?)=$/.test(operator)
    ? logical(running, operator.slice(0, -1), before, right)
    : operate(running, operator.slice(0, -1), before, right())
  bind(running, left, value, place, 'write')
  return value
}
