import { makeList, makeText } from '../../script/value.ts'
import { memberOfNative } from './library.ts'
import { type MachineState, mostDepth, mostItems } from './machine.ts'
import {
  absent,
  type Closure,
  createThing,
  isClosure,
  isGetter,
  isList,
  isNative,
  isThing,
  isUnknown,
  type List,
  type Native,
  native,
  type Thing,
  type Value,
} from './values.ts'

export function putItem(machine: MachineState, list: Value, index: number, value: Value): void {
  if (!isList(list) || index > mostItems) return
  makeList(Math.max(1, index - list.length), machine.effort)
  while (list.length < index) list.push(undefined)
  list[index] = value
}

export function get(machine: MachineState, of: Value, name: string): Value {
  if (isUnknown(of)) return name === 'prototype' ? undefined : native(`?.${name}`)
  if (typeof of === 'string') {
    if (name === 'length') return of.length
    const index = indexIn(name)
    return index === null ? native(`.${name}`, of) : (of[index] ?? absent)
  }
  if (isList(of) || of instanceof Uint8Array) {
    if (name === 'length') return of.length
    if (name === 'raw') return of as List
    const index = indexIn(name)
    return index === null ? native(`.${name}`, of) : index < of.length ? of[index] : absent
  }
  if (isNative(of)) {
    if (of.path === '')
      return machine.globals.has(name)
        ? machine.globals.get(name)
        : native(globalNames.test(name) ? '' : name)
    if (callers.test(name)) return native(`.${name}`, of)
    return memberOfNative(of, name)
  }
  if (isThing(of) || isClosure(of)) return fieldOf(machine, of, name)
  return typeof of === 'object' && of !== null ? native(`.${name}`, of) : undefined
}

function fieldOf(machine: MachineState, of: Thing | Closure, name: string): Value {
  if (isClosure(of) && name === 'prototype') return prototypeOf(of)
  for (let at: Value = of, level = 0; level < mostDepth; level++) {
    if (!isThing(at) && !isClosure(at)) break
    if (at.fields.has(name)) {
      const value = at.fields.get(name)
      return isGetter(value) ? machine.host.call(value.get, of, []) : value
    }
    at = isThing(at) ? at.prototype : at.base
  }
  if (isClosure(of)) return callers.test(name) ? native(`.${name}`, of) : undefined
  return native(`.${name}`, of)
}

export function put(machine: MachineState, of: Value, name: string, value: Value): void {
  const method = isGetter(value) ? value.get : value
  if (isClosure(method) && (isThing(of) || isClosure(of))) method.home ??= of
  if (isNative(of) && of.path === '') {
    if (!machine.watch.answered.has(name)) machine.globals.set(name, value)
  } else if (isThing(of) || isClosure(of)) {
    makeText(name.length, machine.effort)
    of.fields.set(name, value)
  } else if (isList(of)) {
    const index = indexIn(name)
    if (index !== null) putItem(machine, of, index, value)
  } else if (of instanceof Uint8Array) {
    const index = indexIn(name)
    if (index !== null && typeof value === 'number') of[index] = value
  } else if (isNative(of) && name === 'baseURL' && typeof value === 'string')
    machine.defaultBases.set(rootOf(of), value)
}

const globalNames = /^(?:globalThis|global|window|self)$/

const callers = /^(?:call|apply|bind)$/

export function rootOf({ path }: Native): string {
  return path.split('.', 1)[0] ?? ''
}

function indexIn(name: string): number | null {
  return /^\d{1,6}$/.test(name) ? Number(name) : null
}

export function prototypeOf(closure: Closure): Value {
  const known = closure.fields.get('prototype')
  if (known !== undefined) return known
  const made = createThing()
  made.fields.set('constructor', closure)
  closure.fields.set('prototype', made)
  return made
}
