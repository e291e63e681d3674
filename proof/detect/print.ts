import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import { describeGap } from '../variants/table.ts'
import { proveDetected } from './prove-detected.ts'

// Every conforming service of ours is detected, and judged by the profile that was found.
const [only = ''] = process.argv.slice(2)
const checks = (await loadCatalogue()).filter(({ role }) => role === 'signaling')
const { conforming } = await loadVariants()
const cases = [['reference', { variant: {} }] as const, ...conforming].filter(
  ([name]) => (name === 'reference' || name.startsWith('signaling/')) && name.includes(only),
)
/** A service that is asked by a whole run at once needs this machine to itself. */
const atOnce = 1
const longest = 400
let gaps = 0
let judged = 0
const waiting = [...cases]
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, variant] = next
    const { profile, reason, cells } = await proveDetected(checks, name, variant)
    const open = cells.filter(({ holds }) => !holds)
    gaps += open.length + (profile === null ? 1 : 0)
    judged += cells.length
    process.stdout.write(
      `${profile === null ? `GAP ${name}: ${reason}` : open.length === 0 ? `ok  ${name}` : `GAP ${name}`}\n`,
    )
    for (const cell of open) process.stdout.write(`    ${describeGap(cell).slice(0, longest)}\n`)
  }
}
await Promise.all(Array.from({ length: atOnce }, work))
process.stdout.write(`${cases.length} services detected, ${judged} verdicts, ${gaps} gaps\n`)
process.exitCode = gaps === 0 && judged > 0 ? 0 : 1
