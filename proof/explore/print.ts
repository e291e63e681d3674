import { parseArgs } from 'node:util'
import { isRecord } from '../../src/base/tokens/decode.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { loadDeepVariants } from './deep-variants.ts'
import { findStory } from './prove-found.ts'
import { listCatching } from './prove-unseen.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    'without-fixed': { type: 'boolean', default: false },
  },
})

const seeds = values.seeds
  .split(',')
  .filter((text) => text !== '')
  .map(Number)
let gaps = 0
for (const { role, name, deep } of loadDeepVariants()) {
  if (positionals.length > 0 && !positionals.some((text) => name.includes(text))) continue
  if (!values['without-fixed']) {
    const catching = await listCatching(role, deep)
    if (catching.length > 0) gaps += 1
    process.stdout.write(
      `${catching.length === 0 ? 'ok ' : 'GAP'} ${name}: ${catching.length === 0 ? 'no fixed requirement catches it' : catching.join(', ')}\n`,
    )
  }
  for (const seed of seeds) {
    const { checks, seconds } = await findStory(role, deep, { seed, minutes: Number(values.minutes) })
    const found = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    const own = found.find(({ id }) => id === deep.breaks)
    const others = checks.filter(({ id, verdict }) => id !== deep.breaks && verdict !== 'pass')
    // The end of a story is one of its steps: it answers what is kept waiting.
    const steps = own?.story?.told.length ?? 0
    // A warning about what was seen once is no finding.
    const isFound =
      own !== undefined &&
      Number.isFinite(seconds) &&
      steps - countSteps(own.story) + countRequests(own.story) >= 3
    if (!isFound) gaps += 1
    process.stdout.write(
      `${isFound ? 'ok ' : 'GAP'} ${name}, seed ${seed}: ${own === undefined ? 'not found' : `${deep.breaks} in ${steps} steps, after ${seconds.toFixed(1)} s`}${others.map(({ id, verdict, reason }) => `; ${id} ${verdict} ${reason ?? ''}`).join('')}\n`,
    )
    for (const { did, came } of own?.story?.told ?? [])
      process.stdout.write(`      ${did} → ${came.join('; ')}\n`)
  }
}
process.exitCode = gaps === 0 ? 0 : 1

function countSteps(story: ShownStory | undefined): number {
  return story?.steps.length ?? 0
}

/** Several who ask at once take one step, and each may bring the fault nearer. */
function countRequests(story: ShownStory | undefined): number {
  const counts = (story?.steps ?? []).map((step) =>
    isRecord(step) && Array.isArray(step['who']) ? step['who'].length : 1,
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
