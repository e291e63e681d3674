import { hostileCases } from './cases.ts'
import type { Spent } from './hostile-case.ts'
import { spentByChildren } from './spent-by-children.ts'

const megabyte = 1024 * 1024

/** The one case that the command line names. */
const one = hostileCases.find(({ name }) => name === process.argv[2])
if (one === undefined) throw new Error(`no case is called ${process.argv[2]}`)
const before = process.cpuUsage()
let peakOfChildren = 0
const run = one.run((megabytes) => {
  peakOfChildren = Math.max(peakOfChildren, megabytes)
})
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
