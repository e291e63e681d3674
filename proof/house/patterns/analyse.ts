import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { listSources } from '../sources.ts'
import { type Analysed, analysedFile, type Verdict } from './analysed.ts'
import { bounded } from './bounded.ts'
import { listPatterns } from './list-patterns.ts'

/** The part of recheck that is used here. */
interface Recheck {
  check(
    source: string,
    flags: string,
    options: { readonly timeout: number },
  ): Promise<{
    readonly status: 'safe' | 'vulnerable' | 'unknown'
    readonly checker: 'automaton' | 'fuzz' | null
    readonly complexity?: { readonly summary: string }
    readonly attack?: { readonly pattern: string }
    readonly error?: { readonly kind: string }
  }>
}

/** Longer than the slowest proof takes on a machine with other work. */
const timeout = 60_000

const { check } = createRequire(import.meta.url)('recheck') as Recheck
const isWhole = process.argv.includes('--all')
const before: Analysed = isWhole ? {} : JSON.parse(readFileSync(analysedFile, 'utf8'))
const analysed: Record<string, Verdict> = {}
let unanswered = 0

for (const [key, { source, flags, files }] of listPatterns(listSources())) {
  const known = before[key]
  if (key in bounded) continue
  if (known !== undefined) {
    analysed[key] = known
    continue
  }
  const { status, checker, complexity, attack, error } = await check(source, flags, { timeout })
  if (status === 'safe') analysed[key] = checker === 'automaton' ? 'proved' : 'searched'
  else {
    unanswered += 1
    const reason = complexity?.summary ?? `undecided: ${error?.kind}`
    const example = attack === undefined ? '' : `\n  such as ${attack.pattern}`
    process.stdout.write(`${key}\n  ${reason}, in ${files.join(', ')}${example}\n`)
  }
}

const sorted = Object.fromEntries(Object.entries(analysed).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(analysedFile, `${JSON.stringify(sorted, null, 2)}\n`)
const count = (verdict: Verdict) => Object.values(analysed).filter((one) => one === verdict).length
process.stdout.write(
  `${count('proved')} proved linear, ${count('searched')} searched without an attack, ${Object.keys(bounded).length} bounded by their callers, ${unanswered} to be changed, or bounded in ${join('proof/house/patterns', 'bounded.ts')}\n`,
)
// The analyser keeps its process.
process.exit(unanswered === 0 ? 0 : 1)
