import type { Steps } from '../machine.ts'
import { type Environment, isClosure, isEnvironment } from '../values.ts'

/** Steps on the variables of functions. */
export const environmentSteps: Steps = {
  'GetEnvironment GetParentEnvironment': ({ machine, operands, last, number, value, write }) => {
    const from = operands.length === 3 ? value(1) : machine.state.frame.closure.environment
    let environment = isEnvironment(from) ? from : null
    for (let level = number(last); level > 0 && environment !== null; level--)
      environment = environment.parent
    return write(environment ?? undefined)
  },
  GetClosureEnvironment: ({ value, write }) => {
    const of = value(1)
    return write(isClosure(of) ? (of.environment ?? undefined) : undefined)
  },
  'CreateEnvironment CreateInnerEnvironment': ({ machine, operands, value, write }) => {
    const parent = operands.length === 1 ? machine.state.frame.closure.environment : value(1)
    return write(anEnvironment(isEnvironment(parent) ? parent : null))
  },
  CreateFunctionEnvironment: ({ machine, write }) =>
    write(anEnvironment(machine.state.frame.closure.environment)),
  CreateTopLevelEnvironment: ({ write }) => write(anEnvironment(null)),
  'StoreToEnvironment StoreNPToEnvironment': ({ number, value }) => {
    const environment = value(0)
    if (isEnvironment(environment)) environment.variables.set(number(1), value(2))
  },
  LoadFromEnvironment: ({ number, value, write }) => {
    const environment = value(1)
    return write(isEnvironment(environment) ? environment.variables.get(number(2)) : undefined)
  },
}

function anEnvironment(parent: Environment | null): Environment {
  return { kind: 'environment', parent, variables: new Map() }
}
