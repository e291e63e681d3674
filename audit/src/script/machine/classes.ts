import { type Node, nodeAt, nodesAt } from '../parse/scope.ts'
import { Environment } from './environment.ts'
import { makeFunction } from './functions.ts'
import { keyOf } from './names.ts'
import type { Place, Running } from './running.ts'
import { addAccessor, isThing, prototypeOf, Thing, unknown, type Value } from './values.ts'

export function makeClass(running: Running, node: Node, place: Place): Thing {
  const superClass = nodeAt(node, 'superClass')
  const above = superClass === undefined ? null : running.value(superClass, place)
  const parent = isThing(above as Value) ? (above as Thing) : null
  const proto = new Thing(parent === null ? null : prototypeOf(parent))
  const made = new Thing(parent)
  made.isClass = true
  made.arity = 0
  made.fields.set('prototype', proto)
  proto.fields.set('constructor', made)
  const environment = new Environment(place.environment, false)
  const id = nodeAt(node, 'id')
  if (id !== undefined) environment.declare(String(id['name']), made)
  const inside: Place = { environment, frame: { ...place.frame, self: made, home: made } }
  const body = nodeAt(node, 'body')
  const members = body === undefined ? [] : nodesAt(body, 'body').filter((member) => member !== null)
  let own: Thing | null = null
  const fields: Node[] = []
  for (const member of members) {
    const isStatic = member['static'] === true
    const holder = isStatic ? made : proto
    const value = nodeAt(member, 'value')
    if (member.type === 'PropertyDefinition' && !isStatic) fields.push(member)
    if (member.type !== 'MethodDefinition' || value === undefined) continue
    const method = makeFunction(running, value, inside, holder)
    const name = keyOf(running, member, inside)
    if (member['kind'] === 'constructor') {
      own = method
      made.arity = method.arity
    } else if (name === null) continue
    else if (member['kind'] === 'get' || member['kind'] === 'set')
      addAccessor(holder, name, { [String(member['kind'])]: method })
    else holder.fields.set(name, method)
  }
  const initialize = (self: Value) => {
    if (!isThing(self)) return
    for (const field of fields) {
      const name = keyOf(running, field, inside)
      const frame = { ...inside.frame, self, home: proto }
      if (name !== null) self.fields.set(name, running.value(nodeAt(field, 'value'), { environment, frame }))
    }
  }
  made.call = (self, args, target) => {
    if (target === undefined) return unknown
    if (own === null || own.call === null) {
      if (parent?.call != null) parent.call(self, args, target)
      initialize(self)
      return self
    }
    // A class above is initialized by `super`, and the class itself after it.
    if (parent === null) initialize(self)
    else initializers.set(target, [...(initializers.get(target) ?? []), initialize])
    const result = own.call(self, args, target)
    return isThing(result) ? result : self
  }
  for (const member of members) {
    if (member.type === 'StaticBlock')
      running.runAll(nodesAt(member, 'body'), { ...inside, environment: new Environment(environment, true) })
    else if (member.type === 'PropertyDefinition' && member['static'] === true) {
      const name = keyOf(running, member, inside)
      if (name !== null) made.fields.set(name, running.value(nodeAt(member, 'value'), inside))
    }
  }
  return made
}

/** Initializers of objects that wait for the class above. */
export const initializers = new WeakMap<Thing, ((self: Value) => void)[]>()

/** The class that a method's home belongs to. */
export function classOf(home: Thing | null): Thing | null {
  if (home === null || home.isClass) return home
  const made = home.fields.get('constructor')
  return isThing(made) ? made : null
}
