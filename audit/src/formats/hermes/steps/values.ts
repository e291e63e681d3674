import { not } from '../execute.ts'
import { globalObject, type MachineState, mostDepth, type Steps } from '../machine.ts'
import { arithmetic } from '../operators.ts'
import { patternFrom } from '../patterns.ts'
import { primitiveOf } from '../platform.ts'
import { sumOf, textOf } from '../text.ts'
import {
  absent,
  entriesOf,
  isClosure,
  isOfTypes,
  isThing,
  isUnknown,
  truthOf,
  typeOf,
  type Value,
} from '../values.ts'

/** Steps that load, convert and compute values. */
export const valueSteps: Steps = {
  Mov: ({ value, write }) => write(value(1)),
  LoadConstString: ({ machine, number, write }) => write(machine.code.text(number(1))),
  'LoadConstUInt8 LoadConstInt LoadConstDouble': ({ number, write }) => write(number(1)),
  LoadConstZero: ({ write }) => write(0),
  'LoadConstUndefined LoadConstEmpty': ({ write }) => write(absent),
  LoadConstNull: ({ write }) => write(null),
  LoadConstTrue: ({ write }) => write(true),
  LoadConstFalse: ({ write }) => write(false),
  LoadParam: ({ machine, number, write }) => write(parameter(machine, number(1))),
  LoadThisNS: ({ machine, write }) => write(machine.state.frame.self),
  'CoerceThisNS ToNumeric ToPropertyKey': ({ value, write }) => write(value(1)),
  ToNumber: ({ value, write }) => write(typeof value(1) === 'string' ? Number(value(1)) : value(1)),
  GetGlobalObject: ({ write }) => write(globalObject),
  TypeOfIs: ({ number, value, write }) => write(isOfTypes(value(1), number(2))),
  TypeOf: ({ value, write }) => write(typeOf(value(1))),
  'Add AddS AddN': ({ machine, value, make }) =>
    make(sumOf(primitiveOf(value(1), machine.host), primitiveOf(value(2), machine.host), machine.effort)),
  AddEmptyString: ({ machine, value, make }) =>
    make(textOf(primitiveOf(value(1), machine.host), machine.effort)),
  Inc: ({ value, write }) => write(arithmetic('Add', value(1), 1)),
  Dec: ({ value, write }) => write(arithmetic('Sub', value(1), 1)),
  Negate: ({ value, write }) => write(arithmetic('Sub', 0, value(1))),
  BitNot: ({ value, write }) => write(arithmetic('BitXor', value(1), -1)),
  ToInt32: ({ value, write }) => write(arithmetic('BitOr', value(1), 0)),
  ToUint32: ({ value, write }) => write(arithmetic('URshift', value(1), 0)),
  Not: ({ value, write }) => write(not(truthOf(value(1)))),
  InstanceOf: ({ value, write }) => write(instanceOf(value(1), value(2))),
  IsIn: ({ value, write }) => {
    const entries = entriesOf(value(2))
    const key = value(1)
    return write(typeof key === 'string' ? entries?.some(([own]) => own === key) : undefined)
  },
  CreateRegExp: ({ write, nameAt }) => write(patternFrom(nameAt(1), nameAt(2))),
  SelectObject: ({ value, write }) => {
    const result = value(2)
    const own = value(1)
    // A promise stands for the value that fulfils it, which may be none.
    const isResult = (typeof result === 'object' && result !== null) || own === undefined
    return write(isResult ? result : own)
  },
  ReifyArguments: ({ machine, write }) =>
    write(machine.state.frame.args === null ? undefined : [...machine.state.frame.args]),
  GetArgumentsLength: ({ machine, write }) => write(machine.state.frame.args?.length),
  GetArgumentsPropByVal: ({ machine, value, write }) => {
    const index = value(1)
    return write(typeof index === 'number' ? parameter(machine, index + 1) : undefined)
  },
}

function parameter(machine: MachineState, index: number): Value {
  const { self, args } = machine.state.frame
  if (index === 0) return self
  return args === null ? undefined : argument(args, index - 1)
}

function argument(args: readonly Value[], index: number): Value {
  return index < args.length ? args[index] : absent
}

function instanceOf(value: Value, of: Value): boolean | undefined {
  if (!isClosure(of) || isUnknown(value)) return undefined
  for (let at: Value = value, level = 0; isThing(at) && level < mostDepth; level++) {
    if (at.prototype === of.fields.get('prototype')) return true
    at = at.prototype
  }
  return isThing(value) ? undefined : false
}
