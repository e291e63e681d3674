import { pay } from '../../model/effort.ts'
import { makeList } from '../evaluate/value.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { stepsOfNode } from './budget.ts'
import { type Environment, functionAround } from './environment.ts'
import { keyOf, nameOfMember } from './names.ts'
import type { Place, Running } from './running.ts'
import { isThing, Thing, unknown, type Value } from './values.ts'

/** Gives the names of a pattern their values. */
export function bind(
  running: Running,
  pattern: Node | undefined,
  value: Value,
  place: Place,
  how: 'declare' | 'var' | 'write',
): void {
  if (pattern === undefined) return
  pay(running.effort, stepsOfNode)
  switch (pattern.type) {
    case 'Identifier': {
      const name = String(pattern['name'])
      if (how === 'declare') place.environment.declare(name, value)
      else if (how === 'var') functionAround(place.environment).declare(name, value)
      else if (!place.environment.write(name, value)) rootOf(place.environment).declare(name, value)
      return
    }
    case 'MemberExpression':
      assignMember(running, pattern, value, place)
      return
    case 'AssignmentPattern':
      bind(
        running,
        nodeAt(pattern, 'left'),
        value === undefined || value === unknown ? running.value(nodeAt(pattern, 'right'), place) : value,
        place,
        how,
      )
      return
    case 'ArrayPattern': {
      const items = running.iterate(value)
      makeList(items?.length ?? 0, running.effort)
      for (const [index, element] of nodesAt(pattern, 'elements').entries()) {
        if (element === null) continue
        if (element.type === 'RestElement')
          bind(
            running,
            nodeAt(element, 'argument'),
            items === null ? unknown : items.slice(index),
            place,
            how,
          )
        else bind(running, element, items === null ? unknown : items[index], place, how)
      }
      return
    }
    case 'ObjectPattern': {
      const taken = new Set<string>()
      for (const property of nodesAt(pattern, 'properties')) {
        if (property === null) continue
        if (property.type === 'RestElement') {
          const others = new Thing()
          makeList(isThing(value) ? 4 * value.fields.size : 0, running.effort)
          if (isThing(value))
            for (const [name, item] of value.fields) if (!taken.has(name)) others.fields.set(name, item)
          bind(running, nodeAt(property, 'argument'), others, place, how)
          continue
        }
        const name = keyOf(running, property, place)
        if (name === null) continue
        taken.add(name)
        bind(running, nodeAt(property, 'value'), running.member(value, name), place, how)
      }
      return
    }
  }
}

function assignMember(running: Running, target: Node, value: Value, place: Place): void {
  const object = running.value(nodeAt(target, 'object'), place)
  const name = nameOfMember(running, target, place)
  if (name !== null) running.setMember(object, name, value)
}

function rootOf(environment: Environment): Environment {
  let at = environment
  while (at.parent !== null) at = at.parent
  return at
}
