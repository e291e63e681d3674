import { pay } from '../../model/effort.ts'
import { classAround, type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import type { Evaluator, Place } from './evaluator.ts'
import { type ClassOf, type Constant, type Fields, type Frame, isCallable, isFields } from './value.ts'

/** Steps to make an object, and to give it a member. */
const stepsOfObject = 24
const stepsOfMember = 4
const bytesOfMember = 64

/** Under these names a frame has the object, the class above it, and whether the object is being made. */
const self = 'this'
const above = 'super'
const making = 'new.target'

/** Makes an object of a class, as far as its fields and methods are known. */
export function makeObject(made: ClassOf, args: readonly Constant[], evaluator: Evaluator): Fields {
  const object: Fields = { fields: new Map() }
  addMethods(made, object, evaluator)
  construct(made, args, object, evaluator)
  return object
}

/** Gives the known fields of every object of a class, whatever it is made with. */
export function anyObject(scope: Place['scope'], evaluator: Evaluator): Constant {
  const { following, effort } = evaluator
  const around = following === null ? null : classAround(scope, effort)
  if (around === null || following === null) return undefined
  const known = following.objects.get(around.node)
  if (known !== undefined) return known
  const object: Fields = { fields: new Map() }
  following.objects.set(around.node, object)
  const made = { ...around, frame: null }
  addMethods(made, object, evaluator)
  construct(made, [], object, evaluator)
  return object
}

/** Makes the same object by the class above: a call of `super`. */
export function constructAbove(args: readonly Constant[], place: Place, evaluator: Evaluator): void {
  const object = thisOf(place.frame)
  const parent = named(above, place.frame)
  if (isFields(object) && isFields(parent) && parent.made !== undefined)
    construct(parent.made, args, object, evaluator)
}

/** Makes an object by a function that is no class. */
export function makeByFunction(callee: Constant, args: readonly Constant[], evaluator: Evaluator): Constant {
  if (!isCallable(callee)) return undefined
  pay(evaluator.effort, stepsOfObject)
  const object: Fields = { fields: new Map() }
  const values = new Map<string, Constant>([
    [self, object],
    [making, true],
  ])
  const frame: Frame = { parent: callee.frame, values, changes: 0 }
  const result = evaluator.call({ ...callee, frame }, args)
  return result === undefined || result === null ? object : result
}

/** `this` in a running function. */
export function thisOf(frame: Frame | null): Constant {
  return named(self, frame)
}

function named(name: string, frame: Frame | null): Constant {
  for (let at = frame; at !== null; at = at.parent) if (at.values.has(name)) return at.values.get(name)
  return undefined
}

/** Gives a field to the object that is being made. */
export function assignOwn(name: string, value: Constant, frame: Frame | null, evaluator: Evaluator): void {
  for (let at = frame; at !== null; at = at.parent) {
    if (!at.values.has(self)) continue
    const object = at.values.get(self)
    if (at.values.get(making) !== true || !isFields(object)) return
    pay(evaluator.effort, stepsOfMember, bytesOfMember)
    ;(object.fields as Map<string, Constant>).set(name, value)
    return
  }
}

/** The methods of an object literal have it as `this`. */
export function frameOf(object: Fields, parent: Frame | null): Frame {
  return { parent, values: new Map([[self, object]]), changes: 0 }
}

/** A method of an object that has become one of another object, as by a spread. */
export function boundTo(object: Constant, method: Constant): Constant {
  if (!isFields(object) || !isCallable(method) || method.callable.type === 'ArrowFunctionExpression')
    return method
  const { frame } = method
  if (frame === null || !frame.values.has(self) || frame.values.get(self) === object) return method
  return { ...method, frame: frameOf(object, frame.parent) }
}

function construct(made: ClassOf, args: readonly Constant[], object: Fields, evaluator: Evaluator): void {
  const members = membersOf(made.node)
  pay(evaluator.effort, stepsOfObject + members.length)
  const values = new Map<string, Constant>([
    [self, object],
    [making, true],
  ])
  const frame: Frame = { parent: made.frame, values, changes: 0 }
  const place = { scope: made.scope, frame }
  const parent = parentOf(made, evaluator)
  if (parent !== null) values.set(above, { fields: new Map(), made: parent })
  const own = members.find((member) => member['kind'] === 'constructor')
  if (own === undefined && parent !== null) construct(parent, args, object, evaluator)
  for (const member of members) {
    const name = nameOf(member)
    if (member.type !== 'PropertyDefinition' || name === null) continue
    assignOwn(name, evaluator.evaluate(nodeAt(member, 'value'), place), frame, evaluator)
  }
  const callable = own === undefined ? undefined : nodeAt(own, 'value')
  if (callable !== undefined) evaluator.call({ callable, scope: made.scope, frame }, args)
}

function addMethods(made: ClassOf, object: Fields, evaluator: Evaluator): void {
  const parent = parentOf(made, evaluator)
  if (parent !== null) addMethods(parent, object, evaluator)
  const frame = frameOf(object, made.frame)
  for (const member of membersOf(made.node)) {
    const name = nameOf(member)
    const callable = nodeAt(member, 'value')
    const kind = member['kind']
    if (member.type !== 'MethodDefinition' || name === null || callable === undefined) continue
    if (kind !== 'method' && kind !== 'get') continue
    pay(evaluator.effort, stepsOfMember, bytesOfMember)
    const method = { callable, scope: made.scope, frame }
    ;(object.fields as Map<string, Constant>).set(
      name,
      kind === 'get' ? { ...method, isGetter: true } : method,
    )
  }
}

const deepest = 16

/** The class that a class extends, unless that leads around in a circle. */
function parentOf({ node, scope, frame }: ClassOf, evaluator: Evaluator): ClassOf | null {
  const chain = [node]
  let superClass = nodeAt(node, 'superClass')
  let first: ClassOf | null = null
  let place: Place = { scope, frame }
  while (superClass !== undefined) {
    const value = evaluator.evaluate(superClass, place)
    const made = isFields(value) ? value.made : undefined
    if (made === undefined) return first
    if (chain.includes(made.node) || chain.length > deepest) return null
    chain.push(made.node)
    first ??= made
    superClass = nodeAt(made.node, 'superClass')
    place = { scope: made.scope, frame: made.frame }
  }
  return first
}

function membersOf(node: Node): Node[] {
  const body = nodeAt(node, 'body')
  return (body === undefined ? [] : nodesAt(body, 'body')).filter(
    (member): member is Node => member !== null && member['static'] !== true,
  )
}

function nameOf(member: Node): string | null {
  const key = nodeAt(member, 'key')
  const name = member['computed'] === true ? undefined : (key?.['name'] ?? key?.['value'])
  return typeof name === 'string' ? name : null
}
