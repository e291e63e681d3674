import type { Machine } from '../machine.ts'
import { functionOf, isThing, objectOf, type Thing, unknown, type Value } from '../values.ts'

const rendered = new WeakSet<Thing>()

/** Calls the function of an element of React with its properties, as a renderer does. */
export function render(element: Value, machine: Machine): void {
  if (!isThing(element) || !element.fields.has('$$typeof') || rendered.has(element)) return
  rendered.add(element)
  const type = element.fields.get('type')
  if (isThing(type) && type.call !== null && !type.isClass && !type.isNative)
    machine.call(type, undefined, [element.fields.get('props')])
}

/**
 * Defines the hooks of React by the names that they have in every bundle: React asks a renderer for them, which nothing
 * starts here. Each gives what it does in the first rendering.
 */
export function hooksOf(machine: Machine): ReadonlyMap<string, Value> {
  const nothing = functionOf(() => undefined)
  const result = (maker: Value) => machine.call(maker, undefined, [])
  const first = (value: Value) => (isThing(value) && value.call !== null ? result(value) : value)
  const hooks: Readonly<Record<string, (args: readonly Value[]) => Value>> = {
    createContext: ([value]) => objectOf({ _currentValue: value }),
    useContext: ([context]) => machine.member(context, '_currentValue'),
    useMemo: ([maker]) => result(maker),
    useCallback: ([callback]) => callback,
    useState: ([value]) => [first(value), nothing],
    useReducer: ([, value, maker]) => [
      maker === undefined ? value : machine.call(maker, undefined, [value]),
      nothing,
    ],
    useRef: ([value]) => objectOf({ current: value }),
    useSyncExternalStore: ([, snapshot]) => result(snapshot),
  }
  return new Map(
    Object.entries(hooks).map(([name, hook]) => [name, functionOf((_, args) => hook(args) ?? unknown)]),
  )
}
