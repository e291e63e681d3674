import '../../../base/async-disposable-stack.ts'
import { parseArgs } from 'node:util'
import { findCheck, loadCatalogue } from '../../../catalogue/load-requirements.ts'
import { loadVariants } from '../../../catalogue/load-variants.ts'
import type { ReplaceablePart } from '../../../requirement/blame.ts'
import type { AnyCheck, Catch } from '../../../requirement/define.ts'
import { blameVariant, partsOf } from './blame-variant.ts'

// `npm run proof:blame -- FLOW SIG-0`: how often the parts that a broken variant changes are the ones that are named.
// With `--conforming` a fault of the backend meets every conforming variant of the other parts.

interface Case {
  readonly check: AnyCheck
  readonly name: string
  readonly variant: Omit<Catch, 'as'>
  /** The parts with a fault. */
  readonly faulty: readonly ReplaceablePart[]
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { conforming: { type: 'boolean', default: false } },
})
const atOnce = 4
const catalogue = await loadCatalogue()
const flow = findCheck('FLOW-01', catalogue)

function brokenCases(): Case[] {
  return catalogue
    .filter(({ id, role }) =>
      positionals.length === 0
        ? role !== 'client' && role !== 'bundle'
        : positionals.some((start) => id.startsWith(start)),
    )
    .flatMap((check) =>
      Object.entries(check.catches).map(([name, variant]) => ({
        // A broken mint is met through the flow: its own requirements rest on it alone.
        check: check.role === 'mint' ? flow : check,
        name: `${check.id} ${name}`,
        variant,
        faulty: partsOf(variant),
      })),
    )
    .filter(({ variant: { as = 'fail' }, faulty }) => as === 'fail' && faulty.length > 0)
}

async function conformingCases(): Promise<Case[]> {
  const { conforming } = await loadVariants()
  return [...conforming]
    .filter(([, { variant }]) => variant.client === undefined && variant.backend?.success === undefined)
    .map(([name, { variant }]) => ({
      check: flow,
      name,
      variant: {
        ...variant,
        backend: {
          ...variant.backend,
          success: (usual, { token }) => ({
            ...usual,
            body: JSON.stringify({ token: String(token).slice(0, -12) }),
          }),
        },
      },
      faulty: ['backend'],
    }))
}

const cases = values.conforming ? await conformingCases() : brokenCases()
const counts = { rightly: 0, wrongly: 0, 'not named': 0, 'not violated': 0 }

async function measure({ check, name, variant, faulty }: Case): Promise<void> {
  const { verdict, blame } = await blameVariant(check, variant)
  const isNamed = blame?.conclusion === 'part' || blame?.conclusion === 'parts'
  // Where a variant changes two parts, one of them may differ in what the specification leaves open.
  const isRight = blame?.parts.every((part) => faulty.includes(part)) ?? false
  const outcome =
    blame === null
      ? 'not violated'
      : isNamed
        ? isRight
          ? 'rightly'
          : 'wrongly'
        : blame.conclusion === 'none'
          ? 'wrongly'
          : 'not named'
  counts[outcome] += 1
  if (outcome === 'rightly') return
  console.log(`${outcome}: ${check.id} "${name}" of ${faulty.join(' and ')}: ${blame?.sentence ?? verdict}`)
  for (const { replaced, verdict: again, detail } of blame?.tries ?? [])
    console.log(`    ${replaced.join(' and ') || 'nothing'}: ${again ?? ''} ${detail ?? ''}`)
}

const left = [...cases]
const work = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift()) await measure(next)
}
await Promise.all(Array.from({ length: atOnce }, work))
console.log(`${cases.length} cases: ${JSON.stringify(counts)}`)
if (counts.wrongly > 0) process.exitCode = 1
