import { pay } from '../../model/effort.ts'
import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { declareAt, runAll } from './bodies.ts'
import { stepsOfNode } from './budget.ts'
import { runIf, runSwitch, runTry } from './choices.ts'
import { makeClass } from './classes.ts'
import { Environment } from './environment.ts'
import { Thrown } from './exceptions.ts'
import { makeFunction } from './functions.ts'
import { isInherited } from './inheritance.ts'
import { runLabelled } from './loops.ts'
import type { Ending, Place, Running } from './running.ts'
import { isThing, type Value } from './values.ts'

export function runStatement(running: Running, statement: Node, place: Place): Ending {
  pay(running.effort, stepsOfNode)
  switch (statement.type) {
    case 'BlockStatement':
      return runAll(running, nodesAt(statement, 'body'), {
        ...place,
        environment: new Environment(place.environment, false),
      })
    case 'ExpressionStatement':
      running.value(nodeAt(statement, 'expression'), place)
      return null
    case 'VariableDeclaration':
      for (const declarator of nodesAt(statement, 'declarations'))
        if (declarator !== null) declareAt(running, declarator, String(statement['kind']), place)
      return null
    case 'ClassDeclaration': {
      const id = nodeAt(statement, 'id')
      const made = makeClass(running, statement, place)
      if (id !== undefined) place.environment.declare(String(id['name']), made)
      return null
    }
    case 'FunctionDeclaration': {
      const id = nodeAt(statement, 'id')
      if (id !== undefined && !place.environment.has(String(id['name'])))
        place.environment.declare(String(id['name']), makeFunction(running, statement, place))
      return null
    }
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      const declaration = nodeAt(statement, 'declaration')
      if (declaration === undefined) return null
      if (/Declaration$/.test(declaration.type)) return running.run(declaration, place)
      running.value(declaration, place)
      return null
    }
    case 'ReturnStatement':
      return { kind: 'return', value: running.value(nodeAt(statement, 'argument'), place) }
    case 'ThrowStatement':
      throw new Thrown(running.value(nodeAt(statement, 'argument'), place))
    case 'IfStatement':
      return runIf(running, statement, place)
    case 'SwitchStatement':
      return runSwitch(running, statement, place)
    case 'TryStatement':
      return runTry(running, statement, place)
    case 'LabeledStatement': {
      const label = String(nodeAt(statement, 'label')?.['name'] ?? '')
      const body = nodeAt(statement, 'body')
      const ending = body === undefined ? null : runLabelled(running, body, label, place)
      return ending?.kind === 'break' && ending.label === label ? null : ending
    }
    case 'WithStatement':
      return runWith(running, statement, place)
    case 'BreakStatement':
    case 'ContinueStatement': {
      const label = nodeAt(statement, 'label')
      return {
        kind: statement.type === 'BreakStatement' ? 'break' : 'continue',
        label: label === undefined ? null : String(label['name']),
      }
    }
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
      return runLabelled(running, statement, null, place)
    default:
      return null
  }
}

/** Runs a statement with the properties of an object as names. */
function runWith(running: Running, statement: Node, place: Place): Ending {
  const object = running.value(nodeAt(statement, 'object'), place)
  const body = nodeAt(statement, 'body')
  if (body === undefined) return null
  const properties = isThing(object)
    ? {
        has: (name: string) => isInherited(object, name),
        read: (name: string) => running.member(object, name),
        write: (name: string, value: Value) => running.setMember(object, name, value),
      }
    : null
  return running.run(body, { ...place, environment: new Environment(place.environment, false, properties) })
}
