import { makeList } from '../../../script/value.ts'
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
  GetByIndex: ({ machine, number, value, write }) => write(get(machine, value(1), String(number(2)))),
  'GetByVal GetByValWithReceiver FastArrayLoad': ({ machine, value, write }) => {
    const key = value(2)
    return write(isKey(key) ? get(machine, value(1), String(key)) : undefined)
  },
  GetOwnPrivateBySym: ({ machine, value, write }) => {
    const key = value(3)
    return write(isKey(key) ? get(machine, value(1), String(key)) : undefined)
  },
  'PutByVal PutByValWithReceiver FastArrayStore': ({ machine, value }) => {
    const key = value(1)
    if (isKey(key)) put(machine, value(0), String(key), value(2))
  },
  'AddOwnPrivateBySym PutOwnPrivateBySym': ({ machine, name, value }) => {
    const key = value(name === 'AddOwnPrivateBySym' ? 1 : 3)
    if (isKey(key)) put(machine, value(0), String(key), value(name === 'AddOwnPrivateBySym' ? 2 : 1))
  },
  'PutOwnByVal DefineOwnByVal': ({ machine, value }) => {
    const key = value(2)
    if (isKey(key)) put(machine, value(0), String(key), value(1))
  },
  'PutOwnGetterSetterByVal DefineOwnGetterSetterByVal': ({ machine, value }) => {
    const key = value(1)
    const getter = value(2)
    if (isKey(key) && isClosure(getter)) put(machine, value(0), String(key), { kind: 'getter', get: getter })
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
    const text = ofLiteral(machine, key)
    if (isKey(text)) made.fields.set(String(text), ofLiteral(machine, values[index] ?? null))
  }
  return made
}

function isKey(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
