import {
  createInstance,
  delegateOf,
  type Instance,
  isInstance,
  keyOf,
  lambdaType,
  type Value,
} from '../value.ts'
import { type Call, itemsOf } from './call.ts'
import { inOrder } from './platform.ts'

const owner = 'java/util/function/Function'

/** Makes a function that the reading of this file calls by a name, behind the values that it begins with. */
function functionOf(name: string, items: readonly Value[]): Instance {
  const made = createInstance(lambdaType)
  const descriptor = '(Ljava/lang/Object;)Ljava/lang/Object;'
  made.fields.set(delegateOf.method, keyOf({ owner, name, descriptor }))
  made.items = [...items]
  return made
}

/** Methods of a function itself: a call of any other one calls the function. */
export const ofFunction = /^(?:andThen|compose|reversed|thenComparing)$/

/** Functions that are made of others, and comparators. */
export function ofFunctions({ name, args, host }: Call): Value {
  const [first, second, third] = args
  switch (name) {
    case 'andThen':
      return functionOf('$then', [first, second])
    case 'compose':
      return functionOf('$then', [second, first])
    case 'identity':
      return functionOf('$same', [])
    case 'comparing':
    case 'comparingInt':
    case 'comparingLong':
      return functionOf('$by', [first, second ?? null])
    case 'comparingByKey':
    case 'comparingByValue':
    case 'naturalOrder':
      return functionOf(`$${name}`, [])
    case 'reverseOrder':
      return functionOf('$reversed', [first ?? functionOf('$naturalOrder', [])])
    case 'reversed':
      return functionOf('$reversed', [first])
    case '$then':
      return host.call(second, 'apply', [host.call(first, 'apply', args.slice(2))])
    case '$same':
      return first
    case '$by': {
      const [one, other] = args.slice(2).map((item) => host.call(first, 'apply', [item]))
      return isInstance(second) ? host.call(second, 'compare', [one, other]) : inOrder(one, other)
    }
    case '$reversed':
      return host.call(first, 'compare', [third, second])
    case '$naturalOrder':
      return inOrder(first, second)
    case '$comparingByKey':
    case '$comparingByValue': {
      const at = Number(name.endsWith('Value'))
      return inOrder(itemsOf(first)?.[at], itemsOf(second)?.[at])
    }
    default:
      return undefined
  }
}
