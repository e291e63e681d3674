import { makeList, makeText } from '../../script/evaluate/value.ts'
import { memberOfNative } from './library.ts'
import { type MachineState, mostDepth, mostItems } from './machine.ts'
import { methodOfPattern } from './patterns.ts'
import {
  absent,
  type Closure,
  createThing,
  entriesOfCollection,
  extraOf,
  isClosure,
  isGetter,
  isList,
  isNative,
  isThing,
  isUnknown,
  type List,
  type Native,
  native,
  setExtra,
  type Thing,
  type Value,
} from './values.ts'

export function putItem(machine: MachineState, list: Value, index: number, value: Value): void {
  if (isThing(list)) put(machine, list, String(index), value)
  if (!isList(list) || index > mostItems) return
  makeList(Math.max(1, index - list.length), machine.effort)
  while (list.length < index) list.push(undefined)
  list[index] = value
}

export function get(machine: MachineState, of: Value, name: string): Value {
  if (isUnknown(of)) return name === 'prototype' ? undefined : native(`?.${name}`)
  // Texts, numbers and lists are converted by no method of their own.
  if (name === '@@toPrimitive' && !isThing(of) && !isClosure(of)) return absent
  if (typeof of === 'string') {
    if (name === 'length') return of.length
    const index = indexIn(name)
    if (index !== null) return of[index] ?? absent
    return machine.globals.get(`String.prototype.${name}`) ?? native(`.${name}`, of)
  }
  if (typeof of === 'number') return native(`.${name}`, of)
  if (isList(of) || of instanceof Uint8Array) {
    if (name === 'length') return of.length
    if (name === 'raw') return of as List
    const extra = isList(of) ? extraOf(of, name) : undefined
    if (extra !== undefined) return extra.value
    const index = indexIn(name)
    return index === null ? native(`.${name}`, of) : index < of.length ? of[index] : absent
  }
  if (of instanceof RegExp) {
    const own = methodOfPattern(of, name)
    if (own !== undefined) return own
  }
  if (of instanceof RegExp && /^(?:lastIndex|source|flags|global)$/.test(name)) return of[name as 'source']
  if (isNative(of)) {
    if (of.path === '')
      return machine.globals.has(name)
        ? machine.globals.get(name)
        : native(globalNames.test(name) ? '' : name)
    if (callers.test(name)) return native(`.${name}`, of)
    return memberOfNative(of, name)
  }
  if (isThing(of) || isClosure(of)) return fieldOf(machine, of, name)
  if (of === null || of === absent) return native(`?.${name}`)
  return typeof of === 'object' ? native(`.${name}`, of) : undefined
}

function fieldOf(machine: MachineState, of: Thing | Closure, name: string): Value {
  if (isClosure(of) && name === 'prototype') return prototypeOf(of)
  const trap = trapOf(of, 'get')
  if (trap !== null && isThing(of)) return machine.host.call(trap, of.handler, [of.prototype, name, of])
  let at: Value = of
  for (let level = 0; level < mostDepth; level++) {
    if (!isThing(at) && !isClosure(at)) break
    if (at.fields.has(name)) {
      const value = at.fields.get(name)
      if (!isGetter(value)) return value
      return value.get === null ? absent : machine.host.call(value.get, of, [])
    }
    at = isThing(at) ? at.prototype : at.base
  }
  const entries = name === 'size' && isThing(of) ? entriesOfCollection(of) : undefined
  if (entries !== undefined) return entries.size
  if (isClosure(of)) return callers.test(name) ? native(`.${name}`, of) : undefined
  // A plain object has nothing else, but for the methods of all.
  return at === null && !ofAll.test(name) ? absent : native(`.${name}`, of)
}

const ofAll = /^(?:constructor|hasOwnProperty|propertyIsEnumerable|toString|valueOf|decode|encode|next|then)$/

/** Asks the handler of a proxy, where it has a function for that. */
function trapOf(of: Value, name: string): Value {
  const trap = isThing(of) ? of.handler?.fields.get(name) : undefined
  return isClosure(trap) ? trap : null
}

/** Finds the function that a property is given what is put into it. */
function setterOf(of: Value, name: string): Closure | null {
  let at: Value = of
  for (let level = 0; level < mostDepth && (isThing(at) || isClosure(at)); level++) {
    const value = at.fields.get(name)
    if (value !== undefined) return isGetter(value) ? value.set : null
    at = isThing(at) ? at.prototype : at.base
  }
  return null
}

export function put(machine: MachineState, of: Value, name: string, value: Value): void {
  const method = isGetter(value) ? (value.get ?? value.set) : value
  if (isClosure(method) && (isThing(of) || isClosure(of))) method.home ??= of
  if (isNative(of) && of.path === '') {
    if (!machine.watch.answered.has(name)) machine.globals.set(name, value)
  } else if (isNative(of) && of.path === 'String.prototype') {
    machine.globals.set(`${of.path}.${name}`, value)
  } else if (isThing(of) || isClosure(of)) {
    makeText(name.length, machine.effort)
    const setter = isGetter(value) ? null : setterOf(of, name)
    const trap = trapOf(of, 'set')
    if (trap !== null && isThing(of)) machine.host.call(trap, of.handler, [of.prototype, name, value, of])
    else if (setter !== null) machine.host.call(setter, of, [value])
    else if (isThing(of) && of.handler !== undefined) put(machine, of.prototype, name, value)
    else of.fields.set(name, value)
  } else if (isList(of)) {
    const index = indexIn(name)
    if (index !== null) putItem(machine, of, index, value)
    else if (name !== 'length') setExtra(of, name, value)
  } else if (of instanceof Uint8Array) {
    const index = indexIn(name)
    if (index !== null && typeof value === 'number') of[index] = value
  } else if (of instanceof RegExp && name === 'lastIndex') {
    if (typeof value === 'number') of.lastIndex = value
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
