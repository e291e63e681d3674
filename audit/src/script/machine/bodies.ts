import { pay } from '../../model/effort.ts'
import { charactersInStep } from '../evaluate/value.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { bind } from './bindings.ts'
import { stepsOfNode } from './budget.ts'
import { makeClass } from './classes.ts'
import { functionAround } from './environment.ts'
import { guarded } from './exceptions.ts'
import { makeFunction } from './functions.ts'
import type { Ending, Place, Running } from './running.ts'
import { changedName, isDefinition, namesIn, varNamesIn } from './syntax.ts'
import type { Value } from './values.ts'

/** Runs a function's body, or a script. */
export function runBody(running: Running, body: Node, place: Place): Value {
  const statements = nodesAt(body, 'body')
  const isLong = body.end - body.start > running.way.longBody
  if (place.environment.parent !== null) hoistVars(running, body, isLong, place)
  hoist(running, statements, place)
  for (const statement of statements) {
    if (statement === null) continue
    const ending = isLong ? runWhereOfInterest(running, statement, place) : running.run(statement, place)
    if (ending?.kind === 'return') return ending.value
  }
  return undefined
}

/**
 * Declares each `var` of a function before its statements run: a name that is written before its declaration, as minifiers
 * order it, is no name of what is around. Of a long body not all statements run.
 */
function hoistVars(running: Running, body: Node, isLong: boolean, { environment }: Place): void {
  let names = running.hoisted.get(body)
  if (names === undefined) {
    const statements = nodesAt(body, 'body')
    names = varNamesIn(isLong ? statements.filter((one) => one?.type === 'VariableDeclaration') : statements)
    pay(running.effort, (body.end - body.start) / charactersInStep)
    running.hoisted.set(body, names)
  }
  pay(running.effort, names.length)
  for (const name of names) if (!environment.has(name)) environment.declare(name, undefined)
}

/** Names of functions are known before what declares them. */
export function hoist(running: Running, statements: readonly (Node | null)[], place: Place): void {
  pay(running.effort, statements.length)
  for (const wrapped of statements) {
    if (wrapped === null) continue
    const statement = /^Export(?:Named|Default)/.test(wrapped.type) ? nodeAt(wrapped, 'declaration') : wrapped
    if (statement?.type !== 'FunctionDeclaration') continue
    const id = nodeAt(statement, 'id')
    if (id === undefined) continue
    const name = String(id['name'])
    place.environment.declareLater(name, () =>
      place.environment.declare(name, makeFunction(running, statement, place)),
    )
    // Closures that nothing calls are run by themselves.
    if (running.watched.isOfInterest(statement)) place.environment.read(name)
  }
}

/** Runs a statement of a long body where it matters; else its names get their values when they are read. */
function runWhereOfInterest(running: Running, wrapped: Node, place: Place): Ending {
  pay(running.effort, stepsOfNode)
  const isExport = /^Export(?:Named|Default)/.test(wrapped.type)
  const statement = isExport ? nodeAt(wrapped, 'declaration') : wrapped
  if (statement === undefined) return null
  switch (statement.type) {
    case 'VariableDeclaration': {
      const kind = String(statement['kind'])
      for (const declarator of nodesAt(statement, 'declarations'))
        if (declarator !== null) declareWhereOfInterest(running, declarator, kind, place)
      return null
    }
    case 'ClassDeclaration': {
      const id = nodeAt(statement, 'id')
      const name = String(id?.['name'] ?? '')
      place.environment.declareLater(name, () =>
        place.environment.declare(name, makeClass(running, statement, place)),
      )
      if (running.watched.isOfInterest(statement)) place.environment.read(name)
      return null
    }
    case 'ExpressionStatement': {
      const expression = nodeAt(statement, 'expression')
      const parts =
        expression?.type === 'SequenceExpression' ? nodesAt(expression, 'expressions') : [expression]
      for (const part of parts) if (part != null) changeWhereOfInterest(running, part, place)
      return null
    }
    case 'ReturnStatement':
      return running.run(statement, place)
    default: {
      if (!running.watched.isOfInterest(statement)) return null
      let ending: Ending = null
      guarded(() => {
        if (isExport && !/Declaration$|Statement$/.test(statement.type)) running.value(statement, place)
        else ending = running.run(statement, place)
      })
      return ending
    }
  }
}

/** Runs an expression of a long body where it matters; else what it adds to a function or an object waits for that to be read. */
function changeWhereOfInterest(running: Running, part: Node, place: Place): void {
  const run = () => guarded(() => running.value(part, place))
  if (running.watched.isOfInterest(part)) {
    run()
    return
  }
  const name = changedName(part)
  const isWaiting = name !== null && place.environment.addLater(name, run)
  // A function gives what it gives a parameter, as with `module.exports = …`.
  const isGiven = part.type === 'AssignmentExpression' && name !== null && place.environment.has(name)
  if (!isWaiting && (isGiven || isDefinition(part))) run()
}

/** Expressions that make something which has no other name yet. */
const makes = /^(?:(?:Arrow)?Function|Class|Object|Array|Call|New)/

function declareWhereOfInterest(running: Running, declarator: Node, kind: string, place: Place): void {
  const id = nodeAt(declarator, 'id')
  const init = nodeAt(declarator, 'init')
  if (id === undefined) return
  if (running.watched.isOfInterest(declarator)) {
    guarded(() => declareAt(running, declarator, kind, place))
    return
  }
  const target = kind === 'var' ? functionAround(place.environment) : place.environment
  for (const name of namesIn(id))
    if (init === undefined) {
      if (!target.has(name)) target.declare(name, undefined)
    } else
      target.declareLater(
        name,
        () => guarded(() => declareAt(running, declarator, kind, place)),
        !makes.test(init.type),
      )
}

export function declareAt(running: Running, declarator: Node, kind: string, place: Place): void {
  const id = nodeAt(declarator, 'id')
  const init = nodeAt(declarator, 'init')
  if (init === undefined && kind === 'var') {
    const target = functionAround(place.environment)
    const name = String(id?.['name'] ?? '')
    if (!target.has(name)) target.declare(name, undefined)
    return
  }
  bind(running, id, running.value(init, place), place, kind === 'var' ? 'var' : 'declare')
}

export function runAll(running: Running, statements: readonly (Node | null)[], place: Place): Ending {
  hoist(running, statements, place)
  for (const statement of statements) {
    const ending = statement === null ? null : running.run(statement, place)
    if (ending !== null) return ending
  }
  return null
}
