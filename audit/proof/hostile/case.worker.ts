import { hostileCases } from './cases.ts'
import type { Spent } from './hostile-case.ts'
import { spentByChildren } from './spent-by-children.ts'

const megabyte = 1024 * 1024

/** The one case that the command line names, and the files that it reads. */
const [, , called, ...paths] = process.argv
const one = hostileCases.find(({ name }) => name === called)
if (one === undefined) throw new Error(`no case is called ${called}`)
const before = process.cpuUsage()
let peakOfChildren = 0
const run = one.run((megabytes) => {
  peakOfChildren = Math.max(peakOfChildren, megabytes)
}, paths)
const failure = await run.then(
  () => null,
  (error: unknown) => String(error),
)
const { user, system } = process.cpuUsage(before)
const spent: Spent = {
  seconds: (user + system) / 1_000_000 + spentByChildren(),
  megabytes: Math.max(peakOfChildren, (process.resourceUsage().maxRSS * 1024) / megabyte),
  failure,
}
process.send?.(spent)
process.disconnect?.()
