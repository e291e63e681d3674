import { setFlagsFromString } from 'node:v8'
import { defaultLimits } from './model/settings.ts'
import { boundedByMachine, kindOf } from './threads/kind.ts'
import { startThread } from './threads/seats.ts'

/** Starts the thread of an audit that is about to begin: it loads what it needs while the program loads the rest. */
export function startAhead(): void {
  optimiseLater(process.version)
  startThread(kindOf(boundedByMachine(defaultLimits)))
}

/** Parts of V8 whose code is the fastest, and costs the most to make. */
const costly = ['turbofan', 'maglev-inlining']
/** Other versions of Node have no other compiler in their place. */
const tried = /^v24\./
/** In milliseconds. With other flags V8 does not know the code again that Node has compiled, so all of that is loaded first. */
const [left, back] = [150, 3000]

/**
 * Leaves the costliest compilers of V8 out until an audit has gone on for some seconds. In a shorter one they take a quarter
 * of the processor time, and save less.
 */
export function optimiseLater(version: string, setFlags = setFlagsFromString): void {
  if (!tried.test(version)) return
  const set = (flags: readonly string[]) => () => {
    for (const flag of flags) setFlags(flag)
  }
  setTimeout(set(costly.map((one) => `--no-${one}`)), left).unref()
  setTimeout(set(costly.map((one) => `--${one}`)), back).unref()
}
