/** The processor time that something takes, which other programs on the machine change little. */
export async function cpuSeconds(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}
