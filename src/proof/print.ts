import { parseArgs } from 'node:util'
import { loadCatalogue } from '../cli/catalogue.ts'
import { type Cell, proveCaught, proveUnaccused } from './prove.ts'
import { loadConforming } from './variants.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { conforming: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})
const checks = (await loadCatalogue()).filter(
  ({ id }) => positionals.length === 0 || positionals.some((wanted) => id.startsWith(wanted)),
)

const show = (cell: Cell) => {
  const { result } = cell
  process.stdout.write(
    `${cell.holds ? 'ok ' : 'GAP'} ${cell.requirement.padEnd(8)} ${result.verdict.padEnd(8)} ${cell.kind.padEnd(10)} ${cell.variant}\n`,
  )
  if (!cell.holds || values.verbose) {
    if (result.reason !== null) process.stdout.write(`      reason: ${result.reason}\n`)
    for (const { message, level } of result.findings) process.stdout.write(`      ${level}: ${message}\n`)
    if (values.verbose) process.stdout.write(`      ${JSON.stringify(result.observations)}\n`)
  }
  return cell.holds
}

let gaps = 0
const count = (cells: readonly Cell[]) => {
  for (const cell of cells) if (!show(cell)) gaps += 1
}
if (values.conforming === undefined) {
  count(await proveUnaccused(checks, 'reference', { variant: {} }))
  for (const check of checks) {
    const names = Object.keys(check.catches)
    count(await Promise.all(names.map((name) => proveCaught(check, name))))
  }
} else {
  const prefix = values.conforming
  for (const [name, variant] of await loadConforming())
    if (name.startsWith(prefix)) count(await proveUnaccused(checks, name, variant))
}
process.stdout.write(gaps === 0 ? 'no gaps\n' : `${gaps} gaps\n`)
process.exitCode = gaps === 0 ? 0 : 1
