import { pay } from '../../model/effort.ts'
import { makeList } from '../evaluate/value.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { bind } from './bindings.ts'
import { mostPasses, stepsOfNode } from './budget.ts'
import { Environment } from './environment.ts'
import type { Ending, Place, Running } from './running.ts'
import { isBytes, isThing, namesOf, truthOf, unknown, type Value } from './values.ts'

export function runLabelled(running: Running, statement: Node, label: string | null, place: Place): Ending {
  if (/^(?:For|While|DoWhile)Statement$/.test(statement.type))
    return runLoop(running, statement, label, place)
  if (/^For(?:Of|In)Statement$/.test(statement.type)) return runOver(running, statement, label, place)
  return running.run(statement, place)
}

function runLoop(running: Running, loop: Node, label: string | null, outer: Place): Ending {
  let place: Place = { ...outer, environment: new Environment(outer.environment, false) }
  const init = nodeAt(loop, 'init')
  if (init?.type === 'VariableDeclaration') running.run(init, place)
  else if (init !== undefined) running.value(init, place)
  const isFreshEach = init?.type === 'VariableDeclaration' && init['kind'] === 'let'
  const [test, body, update] = ['test', 'body', 'update'].map((field) => nodeAt(loop, field))
  for (let pass = 0; pass < mostPasses; pass++) {
    pay(running.effort, stepsOfNode)
    let isUnknown = false
    if (test !== undefined && !(loop.type === 'DoWhileStatement' && pass === 0)) {
      const known = truthOf(running.value(test, place))
      if (known === false) return null
      isUnknown = known === undefined
    }
    const ending = body === undefined ? null : running.run(body, place)
    if (ending !== null) {
      if (ending.kind === 'return') return ending
      const isOwn = ending.label === null || ending.label === label
      if (!isOwn) return ending
      if (ending.kind === 'break') return null
    }
    // One pass shows what a loop does whose end is not known.
    if (isUnknown) return null
    if (isFreshEach) {
      const next = new Environment(place.environment.parent, false)
      const names = place.environment.names()
      pay(running.effort, stepsOfNode * names.length)
      for (const name of names) next.declare(name, place.environment.read(name)?.value)
      place = { ...place, environment: next }
    }
    if (update !== undefined) running.value(update, place)
  }
  return null
}

function runOver(running: Running, loop: Node, label: string | null, place: Place): Ending {
  const right = running.value(nodeAt(loop, 'right'), place)
  const items = loop.type === 'ForInStatement' ? keysOf(running, right) : running.iterate(right)
  const left = nodeAt(loop, 'left')
  const body = nodeAt(loop, 'body')
  for (const item of items ?? [unknown]) {
    pay(running.effort, stepsOfNode)
    const inside = { ...place, environment: new Environment(place.environment, false) }
    if (left?.type === 'VariableDeclaration') {
      const [declarator] = nodesAt(left, 'declarations')
      const id = declarator == null ? undefined : nodeAt(declarator, 'id')
      bind(running, id, item, inside, left['kind'] === 'var' ? 'var' : 'declare')
    } else bind(running, left, item, inside, 'write')
    const ending = body === undefined ? null : running.run(body, inside)
    if (ending === null) continue
    if (ending.kind === 'return') return ending
    const isOwn = ending.label === null || ending.label === label
    if (!isOwn) return ending
    if (ending.kind === 'break') return null
  }
  return null
}

function keysOf(running: Running, value: Value): Value[] | null {
  if (isThing(value)) {
    makeList(value.fields.size + value.accessors.size, running.effort)
    return [...namesOf(value)]
  }
  if (Array.isArray(value) || typeof value === 'string' || isBytes(value)) {
    makeList(4 * value.length, running.effort)
    return Array.from({ length: value.length }, (_, at) => String(at))
  }
  return null
}
