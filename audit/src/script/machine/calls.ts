import { pay } from '../../model/effort.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { mostYielded, stepsOfCall } from './budget.ts'
import { classOf, initializers } from './classes.ts'
import { ChainEnded, EnoughYielded } from './exceptions.ts'
import { isInherited } from './inheritance.ts'
import { listOf } from './list-items.ts'
import { accessorOf, ownMethodOf } from './members.ts'
import { nameOfMember } from './names.ts'
import type { Place, Running } from './running.ts'
import { isThing, unknown, type Value } from './values.ts'

export function memberAt(
  running: Running,
  node: Node,
  place: Place,
): { readonly value: Value; readonly self: Value; readonly name: string | null } {
  const owner = nodeAt(node, 'object')
  if (owner?.type === 'Super') {
    const name = nameOfMember(running, node, place)
    const above = place.frame.home?.proto ?? null
    const { self } = place.frame
    if (name === null || above === null) return { value: unknown, self, name }
    const accessor = accessorOf(above, name)
    const value = accessor === undefined ? running.member(above, name) : running.call(accessor.get, self, [])
    return { value, self, name }
  }
  const self = running.value(owner, place)
  endChain(node, self)
  const name = nameOfMember(running, node, place)
  return { value: name === null ? running.favourite(valuesOf(self)) : running.member(self, name), self, name }
}

/** Ends a chain at an optional member or call of what is not there. */
function endChain(node: Node, value: Value): void {
  if (node['optional'] === true && (value === null || value === undefined)) throw new ChainEnded()
}

/** Lists the values that a name may pick which is not known. */
function valuesOf(object: Value): Iterable<Value> {
  if (isThing(object)) return object.fields.values()
  return Array.isArray(object) ? object : []
}

export function callAt(running: Running, node: Node, place: Place): Value {
  const callee = nodeAt(node, 'callee')
  if (callee === undefined) return unknown
  if (callee.type === 'Super') {
    const args = listOf(running, nodesAt(node, 'arguments'), place)
    const { made, self } = place.frame
    const above = classOf(place.frame.home)?.proto ?? null
    if (above?.call != null && made !== undefined) above.call(self, args, made)
    const own = made === undefined ? undefined : initializers.get(made)
    if (made !== undefined && own !== undefined) {
      const last = own.pop()
      last?.(self)
    }
    return self
  }
  if (callee.type !== 'MemberExpression' && callee.type !== 'ChainExpression') {
    const target = running.value(callee, place)
    endChain(node, target)
    const args = listOf(running, nodesAt(node, 'arguments'), place)
    if (callee['name'] !== 'eval') return running.call(target, undefined, args)
    const before = running.evaluating
    running.evaluating = place
    try {
      return running.call(target, undefined, args)
    } finally {
      running.evaluating = before
    }
  }
  const inner = callee.type === 'ChainExpression' ? nodeAt(callee, 'expression') : callee
  if (inner?.type !== 'MemberExpression') return unknown
  const { value, self, name } = memberAt(running, inner, place)
  endChain(node, value)
  const args = listOf(running, nodesAt(node, 'arguments'), place)
  if (name === null) return unknown
  const isOwn = isThing(value) && value.call !== null && isThing(self)
  if (isOwn && (self.traps !== null || self.fields.has(name) || isInherited(self, name)))
    return running.call(value, self, args)
  if (self instanceof RegExp && ownMethodOf(self, name) !== undefined) return running.call(value, self, args)
  const result = running.library.method(self, name, args)
  if (result !== null) {
    pay(running.effort, stepsOfCall)
    return result.value
  }
  return running.call(value, self, args)
}

export function yieldAt(running: Running, node: Node, place: Place): Value {
  const value = running.value(nodeAt(node, 'argument'), place)
  const { yielded } = place.frame
  if (yielded === null) return value
  if (node['delegate'] === true) for (const item of running.iterate(value) ?? [unknown]) yielded.push(item)
  else yielded.push(value)
  if (yielded.length >= mostYielded) throw new EnoughYielded(place.frame)
  // Helpers of compilers hand a promise back as what it is fulfilled with.
  return value
}
