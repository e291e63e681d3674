import type { Node } from '../parse/scope.ts'
import { type Callable, type Constant, changesIn, isCallable, isFields, isList } from './value.ts'

/** The calls of functions of a script that are running, and what others have come to. */
export interface Calls {
  /** Says whether the same call is running already: then nothing that is known ends it. */
  isEndless(callee: Callable, args: readonly Constant[]): boolean
  begin(callee: Callable, args: readonly Constant[]): void
  /** Ends the last one that has begun. */
  end(): void
  /** Gives the earlier result of the same call; `null` where it is not known. */
  known(callee: Callable, args: readonly Constant[]): { readonly value: Constant } | null
  remember(callee: Callable, args: readonly Constant[], value: Constant): void
}

interface Call {
  readonly node: Node
  readonly args: readonly Constant[]
  /** How often what the function sees had changed before. */
  readonly changes: number
}

/** @param keep counts what is remembered */
export function createCalls(keep: (value: Constant) => Constant): Calls {
  const running: Call[] = []
  const results = new Map<Node, Map<string, Constant>>()
  let remembered = 0
  return {
    isEndless({ callable, frame }, args) {
      const last = running.findLast(({ node }) => node === callable)
      return last !== undefined && last.changes === changesIn(frame) && areAlike(last.args, args)
    },
    begin: ({ callable, frame }, args) =>
      void running.push({ node: callable, args, changes: changesIn(frame) }),
    end: () => void running.pop(),
    known({ callable, frame }, args) {
      const key = frame === null ? keyOf(args) : null
      const own = key === null ? undefined : results.get(callable)
      return key !== null && own?.has(key) === true ? { value: own.get(key) } : null
    },
    remember({ callable, frame }, args, value) {
      const key = frame === null ? keyOf(args) : null
      if (key === null || remembered === mostRemembered) return
      const kept = keep(value)
      remembered += 1
      const own = results.get(callable) ?? new Map<string, Constant>()
      results.set(callable, own.set(key, kept))
    },
  }
}

const longestKey = 256
/** More would take more memory than they save time. */
const mostRemembered = 20_000

/** Tells short arguments from others; `null` where they are anything but short texts, numbers and what is not known. */
function keyOf(args: readonly Constant[]): string | null {
  let key = ''
  for (const arg of args) {
    if (typeof arg === 'object' && arg !== null) return null
    if (typeof arg === 'string' && arg.length > longestKey) return null
    key += `${typeof arg} ${String(arg)}\0`
    if (key.length > longestKey) return null
  }
  return key
}

/** Says whether arguments are the same, as far as it is cheap to tell. */
function areAlike(some: readonly Constant[], others: readonly Constant[]): boolean {
  return some.length === others.length && some.every((one, index) => isAlike(one, others[index]))
}

function isAlike(one: Constant, other: Constant): boolean {
  if (Object.is(one, other)) return true
  if (isList(one)) return isList(other) && one.length === other.length
  if (isFields(one)) return isFields(other) && one.fields.size === other.fields.size
  return isCallable(one) && isCallable(other) && one.callable === other.callable
}
