import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { bind } from './bindings.ts'
import { runAll } from './bodies.ts'
import { Environment } from './environment.ts'
import { Thrown } from './exceptions.ts'
import type { Ending, Place, Running } from './running.ts'
import { leaves, returns } from './syntax.ts'
import { truthOf, unknown } from './values.ts'

/**
 * Which way a condition goes. One that is not known goes to what holds more of the prefix, or is true, unless that ends
 * what is running without a piece.
 */
export function decide(
  running: Running,
  test: Node | undefined,
  place: Place,
  consequent?: Node,
  alternate?: Node,
): boolean {
  const known = truthOf(running.value(test, place))
  if (known !== undefined) return known
  running.hasChosen = true
  return isFirst(running, consequent, alternate) !== running.way.isOther
}

function isFirst({ measure }: Running, consequent?: Node, alternate?: Node): boolean {
  const [held, heldOtherwise] = [measure(consequent), measure(alternate)]
  if (held !== heldOtherwise) return held > heldOtherwise
  if (consequent !== undefined && (leaves(consequent) || (alternate === undefined && returns(consequent))))
    return false
  return true
}

export function runIf(running: Running, statement: Node, place: Place): Ending {
  const [consequent, alternate] = [nodeAt(statement, 'consequent'), nodeAt(statement, 'alternate')]
  const chosen = decide(running, nodeAt(statement, 'test'), place, consequent, alternate)
    ? consequent
    : alternate
  return chosen === undefined ? null : running.run(chosen, place)
}

export function runSwitch(running: Running, statement: Node, place: Place): Ending {
  const value = running.value(nodeAt(statement, 'discriminant'), place)
  const cases = nodesAt(statement, 'cases').filter((one) => one !== null)
  const inside = { ...place, environment: new Environment(place.environment, false) }
  let first = value === unknown ? firstOf(running, cases) : -1
  if (value !== unknown)
    first = cases.findIndex((one) => {
      const test = nodeAt(one, 'test')
      return test !== undefined && running.value(test, inside) === value
    })
  if (first === -1) first = cases.findIndex((one) => nodeAt(one, 'test') === undefined)
  if (first === -1) return null
  if (value === unknown) running.hasChosen = true
  for (const one of cases.slice(first)) {
    const ending = runAll(running, nodesAt(one, 'consequent'), inside)
    if (ending === null) continue
    return ending.kind === 'break' && ending.label === null ? null : ending
  }
  return null
}

/** Returns the case with the most of the prefix; in the other way, the default one. */
function firstOf({ measure, way }: Running, cases: readonly Node[]): number {
  if (way.isOther) return cases.findIndex((one) => nodeAt(one, 'test') === undefined)
  const held = cases.map((one) =>
    Math.max(0, ...nodesAt(one, 'consequent').map((part) => measure(part ?? undefined))),
  )
  return held.indexOf(Math.max(...held))
}

export function runTry(running: Running, statement: Node, place: Place): Ending {
  const [block, handler, finalizer] = ['block', 'handler', 'finalizer'].map((field) =>
    nodeAt(statement, field),
  )
  let ending: Ending = null
  try {
    ending = block === undefined ? null : running.run(block, place)
  } catch (error) {
    if (!(error instanceof Thrown)) throw error
    if (handler === undefined) {
      if (finalizer !== undefined) running.run(finalizer, place)
      throw error
    }
    const inside = { ...place, environment: new Environment(place.environment, false) }
    const parameter = nodeAt(handler, 'param')
    if (parameter !== undefined) bind(running, parameter, error.value, inside, 'declare')
    const body = nodeAt(handler, 'body')
    ending = body === undefined ? null : running.run(body, inside)
  }
  const last = finalizer === undefined ? null : running.run(finalizer, place)
  return last ?? ending
}
