import { pay } from '../../model/effort.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { bind } from './bindings.ts'
import { bytesOfThing, stepsOfNode } from './budget.ts'
import { Environment } from './environment.ts'
import { EnoughYielded } from './exceptions.ts'
import type { Frame, Place, Running } from './running.ts'
import { iteratorOf, Thing, unknown, type Value } from './values.ts'

export function makeFunction(
  running: Running,
  node: Node,
  { environment, frame }: Place,
  home: Thing | null = null,
): Thing {
  pay(running.effort, stepsOfNode, bytesOfThing)
  const made = new Thing()
  const isArrow = node.type === 'ArrowFunctionExpression'
  made.call = (self, args, target) => {
    running.entered.add(node)
    const own = new Environment(environment, true)
    const isGenerator = node['generator'] === true
    const inside: Frame = isArrow
      ? { ...frame, yielded: null }
      : { self, args, home, made: target, yielded: isGenerator ? [] : null }
    const place: Place = { environment: own, frame: inside }
    const name = node.type === 'FunctionExpression' ? nodeAt(node, 'id') : undefined
    if (name !== undefined) own.declare(String(name['name']), made)
    for (const [index, parameter] of nodesAt(node, 'params').entries()) {
      if (parameter === null) continue
      if (parameter.type === 'RestElement')
        bind(running, nodeAt(parameter, 'argument'), args.slice(index), place, 'declare')
      else bind(running, parameter, index < args.length ? args[index] : absent(args), place, 'declare')
    }
    const body = nodeAt(node, 'body')
    if (body === undefined) return unknown
    if (body.type !== 'BlockStatement') return running.value(body, place)
    if (inside.yielded === null || isArrow) return running.runBody(body, place)
    let result: Value
    try {
      result = running.runBody(body, place)
    } catch (error) {
      if (!(error instanceof EnoughYielded) || error.frame !== inside) throw error
    }
    const items = iteratorOf(inside.yielded, result)
    items.isAsync = node['async'] === true
    return items
  }
  made.isArrow = isArrow
  made.arity = arityOf(node)
  if (running.watched.isOfInterest(node) && !running.closures.has(node))
    running.closures.set(node, { closure: made, home: isArrow ? null : home })
  return made
}

/** Arguments of a function that nothing in the script calls: nothing is known about them. */
export const unknownArguments: readonly Value[] = []

/** An argument that a call leaves out. */
function absent(args: readonly Value[]): Value {
  return args === unknownArguments ? unknown : undefined
}

/** Counts the parameters before one that may be left out: the `length` of a function. */
function arityOf(node: Node): number {
  const parameters = nodesAt(node, 'params')
  const first = parameters.findIndex(
    (one) => one?.type === 'AssignmentPattern' || one?.type === 'RestElement',
  )
  return first === -1 ? parameters.length : first
}
