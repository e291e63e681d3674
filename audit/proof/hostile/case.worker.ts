import { hostileCases } from './cases.ts'
import type { Spent } from './hostile-case.ts'

const megabyte = 1024 * 1024

/** The one case that the command line names. */
const one = hostileCases.find(({ name }) => name === process.argv[2])
if (one === undefined) throw new Error(`no case is called ${process.argv[2]}`)
const before = process.cpuUsage()
const failure = await one.run().then(
  () => null,
  (error: unknown) => String(error),
)
const { user, system } = process.cpuUsage(before)
const spent: Spent = {
  seconds: (user + system) / 1_000_000,
  megabytes: (process.resourceUsage().maxRSS * 1024) / megabyte,
  failure,
}
process.send?.(spent)
process.disconnect?.()
