import { readFileSync } from 'node:fs'

/** The unit of /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Processor time, in seconds, of all processes that this one has started and that have ended; 0 where there is no /proc. */
export function spentByChildren(): number {
  let stat: string
  try {
    stat = readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return 0
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}
