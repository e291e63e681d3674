/** A wait so long that a user wants to know its reason and its end. */
export interface ToldWait {
  /** Completes "waits for …". */
  readonly what: string
  /** At most so long from now; 0 where it is over. */
  readonly seconds: number
}

export type TellWait = (wait: ToldWait) => void

/** Tells waits in lines of their own, for commands that show no other progress meanwhile. */
export function tellingIn(output: { write(text: string): unknown }): TellWait {
  return ({ what, seconds }) => {
    if (seconds > 0) output.write(`waits for ${what}, ${seconds} s more at most\n`)
  }
}

export const toldAfterMs = 3_000

/** Runs what may take long, and tells after three seconds how long it may still take. */
export async function tellingWait<T>(
  run: () => Promise<T>,
  { what, longestMs, tell }: { readonly what: string; readonly longestMs: number; readonly tell: TellWait },
): Promise<T> {
  let isTold = false
  const timer = setTimeout(() => {
    isTold = true
    tell({ what, seconds: Math.ceil((longestMs - toldAfterMs) / 1000) })
  }, toldAfterMs)
  // The timer alone keeps no process alive.
  timer.unref()
  if (longestMs <= toldAfterMs) clearTimeout(timer)
  try {
    return await run()
  } finally {
    clearTimeout(timer)
    if (isTold) tell({ what, seconds: 0 })
  }
}
