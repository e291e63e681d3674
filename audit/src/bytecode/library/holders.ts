import { isInstance, type Value } from '../value.ts'
import { type Call, collection, itemsOf } from './call.ts'

const holderType = 'java/util/concurrent/atomic/AtomicReference'

/** Objects with one value: atomic ones, those of a thread, and those that will be there later. */
export function ofHolder(call: Call): Value {
  const { name, types, args, host } = call
  const [first, second, third] = args
  const made = (value: Value) => collection(holderType, [value], host.effort)
  if (name === 'completedFuture') return made(first)
  if (name === 'supplyAsync' || name === 'withInitial') return made(host.call(first, 'get', []))
  if (!isInstance(first)) return undefined
  if (name === '<init>') {
    first.items = [types.length > 0 ? second : first.type.endsWith('Integer') ? 0 : null]
    return undefined
  }
  const before = first.items?.[0]
  const changeTo = (value: Value) => {
    first.items = [value]
    return value
  }
  const added = (by: Value) =>
    changeTo(typeof before === 'number' && typeof by === 'number' ? before + by : undefined)
  switch (name) {
    case 'get':
    case 'getPlain':
    case 'getAcquire':
    case 'getNow':
    case 'join':
    case 'intValue':
      return before
    case 'set':
    case 'lazySet':
    case 'complete':
      changeTo(second)
      return undefined
    case 'getAndSet':
      changeTo(second)
      return before
    case 'compareAndSet':
      if (before === second) changeTo(third)
      return Number(before === second)
    case 'updateAndGet':
      return changeTo(host.call(second, 'apply', [before]))
    case 'getAndUpdate':
      changeTo(host.call(second, 'apply', [before]))
      return before
    case 'accumulateAndGet':
      return changeTo(host.call(third, 'apply', [before, second]))
    case 'incrementAndGet':
      return added(1)
    case 'addAndGet':
      return added(second)
    case 'getAndIncrement':
      added(1)
      return before
    case 'thenApply':
    case 'thenApplyAsync':
      return made(host.call(second, 'apply', [before]))
    case 'thenCompose':
      return host.call(second, 'apply', [before])
    case 'thenCombine':
      return made(host.call(third, 'apply', [before, itemsOf(second)?.[0]]))
    default:
      return undefined
  }
}

/** Looks a name up in the contents of a bundle that is a class. */
export function ofBundle({ name, args, host }: Call): Value {
  const [self, key] = args
  if (name !== 'getString' && name !== 'getObject') return undefined
  const contents = itemsOf(host.call(self, 'getContents', []))
  const found = contents?.map(itemsOf).find((pair) => pair?.[0] === key)
  return found?.[1]
}
