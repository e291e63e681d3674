import type { Host } from './host.ts'
import { absent, createThing, isClosure, isNative, isThing, native, type Value } from './values.ts'

const nothing = native('.nothing')

/**
 * Calls a hook of React by its name: React asks a renderer for it, which nothing starts here. Each gives what it does in
 * the first rendering; `null` for any other name.
 */
export function callOfHook(
  name: string,
  args: readonly Value[],
  host: Host,
): { readonly value: Value } | null {
  const [first, second, third] = args
  const result = (maker: Value) => host.call(maker, absent, [])
  switch (name) {
    case 'useMemo':
      return { value: result(first) }
    case 'useCallback':
      return { value: first }
    case 'useState':
      return { value: [isClosure(first) || isNative(first) ? result(first) : first, nothing] }
    case 'useReducer':
      return {
        value: [
          third === undefined || third === absent ? second : host.call(third, absent, [second]),
          nothing,
        ],
      }
    case 'useRef': {
      const made = createThing()
      made.fields.set('current', first)
      return { value: made }
    }
    case 'useContext':
      return { value: host.get(first, '_currentValue') }
    case 'useSyncExternalStore':
      return { value: result(second) }
    case 'useEffect':
    case 'useLayoutEffect':
      result(first)
      return { value: absent }
    default:
      return null
  }
}

/** Calls the function of an element of React with its properties, as a renderer does. */
export function render(element: Value, host: Host): void {
  if (!isThing(element) || !element.fields.has('$$typeof')) return
  const type = element.fields.get('type')
  if (!isClosure(type) || rendered.has(element)) return
  rendered.add(element)
  host.call(type, absent, [element.fields.get('props')])
}

const rendered = new WeakSet<object>()
