import { toldAfterMs } from './times.ts'

/** Takes a line on what a command is doing, where that takes so long that a user wants to know. */
export type TellWait = (line: string) => void

export function tellingIn(output: { write(text: string): unknown }): TellWait {
  return (line) => void output.write(`${line}\n`)
}

/** Runs what may take long, and tells after three seconds what it is, such as "waiting for the backend". */
export async function tellingWait<T>(
  run: () => Promise<T>,
  { what, longestMs, tell }: { readonly what: string; readonly longestMs: number; readonly tell: TellWait },
): Promise<T> {
  const timer = setTimeout(() => tell(`${what} (up to ${Math.ceil(longestMs / 1000)} s)`), toldAfterMs)
  // The timer alone keeps no process alive.
  timer.unref()
  if (longestMs <= toldAfterMs) clearTimeout(timer)
  try {
    return await run()
  } finally {
    clearTimeout(timer)
  }
}
