import { makeList } from '../../../script/evaluate/value.ts'
import { operand } from '../code.ts'
import type { Instruction } from '../instructions.ts'
import type { Literal } from '../literals.ts'
import { globalObject, type MachineState, type Steps } from '../machine.ts'
import { get, put, putItem } from '../members.ts'
import {
  absent,
  createThing,
  entriesOf,
  isClosure,
  isList,
  isNative,
  isThing,
  type Thing,
  type Value,
} from '../values.ts'

/** Steps that make objects and lists, and read or change what is in them. */
export const memberSteps: Steps = {
  NewObject: ({ write }) => write(createThing()),
  NewObjectWithParent: ({ value, write }) => write(createThing(value(1))),
  'NewObjectWithBuffer NewObjectWithBufferAndParent': ({ machine, instruction, value, write }) =>
    write(objectOf(machine, instruction, value)),
  'NewArray NewFastArray': ({ write }) => write([]),
  NewArrayWithBuffer: ({ machine, number, write }) => write(listOf(machine, number(3), number(2))),
  FastArrayPush: ({ value }) => {
    const list = value(0)
    if (isList(list)) list.push(value(1))
  },
  'PutOwnByIndex DefineOwnByIndex DefineOwnInDenseArray': ({ machine, number, value }) =>
    putItem(machine, value(0), number(2), value(1)),
  'LoadParentNoTraps TypedLoadParent': ({ value, write }) => {
    const of = value(1)
    return write(isThing(of) ? of.prototype : isClosure(of) ? of.base : undefined)
  },
  GetByIndex: ({ machine, number, value, write }) => write(get(machine, value(1), String(number(2)))),
  'GetByVal GetByValWithReceiver FastArrayLoad': ({ machine, value, write }) => {
    const key = keyOf(value(2))
    return write(key === null ? undefined : get(machine, value(1), key))
  },
  GetOwnPrivateBySym: ({ machine, value, write }) => {
    const key = keyOf(value(3))
    return write(key === null ? undefined : get(machine, value(1), key))
  },
  'PutByVal PutByValWithReceiver FastArrayStore': ({ machine, value }) => {
    const key = keyOf(value(1))
    if (key !== null) put(machine, value(0), key, value(2))
  },
  'AddOwnPrivateBySym PutOwnPrivateBySym': ({ machine, last, value }) => {
    const key = keyOf(value(last))
    if (key !== null) put(machine, value(0), key, value(1))
  },
  'PutOwnByVal DefineOwnByVal': ({ machine, value }) => {
    const key = keyOf(value(2))
    if (key !== null) put(machine, value(0), key, value(1))
  },
  'PutOwnGetterSetterByVal DefineOwnGetterSetterByVal': ({ machine, value }) => {
    const key = keyOf(value(1))
    const getter = value(2)
    const setter = value(3)
    const [get, set] = [isClosure(getter) ? getter : null, isClosure(setter) ? setter : null]
    if (key !== null && (get !== null || set !== null))
      put(machine, value(0), key, { kind: 'getter', get, set })
  },
  CreatePrivateName: ({ write, nameAt }) => write(`#${nameAt(1)}`),
  'GetById GetByIdWithReceiver': ({ machine, last, value, write, nameAt }) =>
    write(get(machine, value(1), nameAt(last))),
  TryGetById: ({ machine, last, write, nameAt }) => write(get(machine, globalObject, nameAt(last))),
  'PutById TryPutById PutNewOwnById PutNewOwnNEById DefineOwnById': ({ machine, last, value, nameAt }) =>
    put(machine, value(0), nameAt(last), value(1)),
  PutOwnBySlotIdx: ({ machine, number, value }) => {
    const of = value(0)
    const key = isThing(of) ? [...of.fields.keys()][number(2)] : undefined
    if (key !== undefined) put(machine, of, key, value(1))
  },
  GetOwnBySlotIdx: ({ number, value, write }) => {
    const of = value(1)
    return write(isThing(of) ? [...of.fields.values()][number(2)] : undefined)
  },
  GetPNameList: ({ machine, number, value, write }) => {
    const keys = entriesOf(value(1))?.map(([key]) => key)
    machine.state.registers[number(2)] = 0
    machine.state.registers[number(3)] = keys?.length
    return write(keys)
  },
  GetNextPName: ({ machine, number, value, write }) => {
    const keys = value(1)
    const index = value(3)
    if (!isList(keys) || typeof index !== 'number') return write(undefined)
    machine.state.registers[number(3)] = index + 1
    return write(index < keys.length ? keys[index] : absent)
  },
}

function listOf(machine: MachineState, offset: number, count: number): Value[] {
  makeList(count, machine.effort)
  return machine.code.literals(offset, count).map((literal) => ofLiteral(machine, literal))
}

function ofLiteral(machine: MachineState, literal: Literal): Value {
  return typeof literal === 'object' && literal !== null ? machine.code.text(literal.string) : literal
}

function objectOf(machine: MachineState, instruction: Instruction, value: (index: number) => Value): Thing {
  const { name, operands } = instruction
  const number = (index: number) => operand(machine.code.bytes, machine.state.at, instruction, index)
  const isOld = machine.code.version < 98
  const made = createThing(name === 'NewObjectWithBufferAndParent' ? value(1) : null)
  const [first, second] = [number(operands.length - 2), number(operands.length - 1)]
  const { keys, values } = machine.code.object(first, second, isOld ? number(2) : null)
  makeList(keys.length, machine.effort)
  for (const [index, key] of keys.entries()) {
    const text = keyOf(ofLiteral(machine, key))
    if (text !== null) made.fields.set(text, ofLiteral(machine, values[index] ?? null))
  }
  return made
}

/** Gives the name of a property; `null` where it is not known. The engine's symbols are names as well. */
function keyOf(value: Value): string | null {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return isNative(value) && value.path.startsWith('Symbol.') ? value.path.replace('Symbol.', '@@') : null
}
