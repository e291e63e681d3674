import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { interruptedExitCode } from '../../base/errors.ts'
import { sentNames } from '../../base/evidence/hide-exchange.ts'
import { createFingerprintKey, createSecrets } from '../../base/evidence/secrets.ts'
import { onOneLine } from '../../base/printable.ts'
import { rerunCommand, storyFile } from '../../reports/describe-results.ts'
import { type AskedReport, loadReports, runFormats } from '../../reports/formats.ts'
import { hideResults, hiderOf } from '../../reports/hide-results.ts'
import { resultsOf } from '../../reports/results.ts'
import type { ExploredRole } from '../../requirement/explored-roles.ts'
import type { CheckResult } from '../../requirement/run.ts'
import { type ExplorationEvents, exploreApart } from '../../run/explore-apart.ts'
import type { RunEnvironment } from '../../run/options.ts'
import { prepareExploration } from '../../run/prepare-exploration.ts'
import { readStory } from '../../run/tell-stories.ts'
import { writeRun } from '../../run/write-artefacts.ts'
import { exitCodeOfResults, printResults } from '../output/output.ts'
import { wrapText } from '../output/wrap-text.ts'

export interface ExploreCommandOptions {
  readonly role: ExploredRole
  readonly config?: string | undefined
  readonly minutes: number
  readonly seed?: number
  readonly replay?: string
  readonly out?: string
  readonly strict: boolean
  readonly json: boolean
  readonly report?: readonly AskedReport[]
}

/** Between two lines that tell how far it is. */
const progressMs = 10_000

/** `twotoken explore`: looks for a sequence that breaks an invariant. Returns the exit code. */
export async function exploreCommand(
  { role, minutes, seed = randomBytes(4).readUInt32LE(), replay: file, ...options }: ExploreCommandOptions,
  environment: RunEnvironment,
): Promise<number> {
  const { stderr, variables, directory } = environment
  const interruption = new AbortController()
  environment.onInterrupt(() => interruption.abort())
  const story = file === undefined ? undefined : await readStory(resolve(directory, file))
  const renderAsked = await loadReports(options.report, runFormats, directory)
  await using stack = new AsyncDisposableStack()
  const plan = await prepareExploration(role, options, environment, interruption.signal, stack)
  if (plan === null) return interruptedExitCode
  const startedAt = new Date()
  const begun = performance.now()
  let told = begun
  if (story === undefined) stderr.write(`exploring the ${role} for ${minutes} min, seed ${seed}\n`)
  const fingerprintKey = createFingerprintKey()
  const task = {
    role,
    configuration: plan.configuration,
    seed,
    milliseconds: minutes * 60_000,
    environment: { ...variables },
    fingerprintKey,
    replay: story,
    ...plan.certificate,
  }
  const events: ExplorationEvents = {
    onStory(stories, steps) {
      if (performance.now() - told < progressMs) return
      told = performance.now()
      stderr.write(`${stories} stories, ${steps} steps\n`)
    },
    onFound: (id, title) => void stderr.write(`found a story against ${id}: ${title}\n`),
    onBlocked: ({ what, seconds }) => void stderr.write(`blocked for ${seconds} s by ${onOneLine(what)}\n`),
  }
  const explored = await exploreApart(task, interruption.signal, events)
  const secrets = createSecrets(fingerprintKey, explored.secrets)
  const judged = resultsOf({
    target: plan.configuration.name,
    config: options.config,
    startedAt,
    durationMs: performance.now() - begun,
    seed,
    interrupted: interruption.signal.aborted,
    checks: explored.checks,
    exchanges: explored.exchanges,
  })
  const { configuration } = plan
  const sent = sentNames(judged.exchanges, secrets)
  const results = hideResults(judged, hiderOf(sent, { configuration, secrets, fingerprintKey }))
  const broken = results.checks.flatMap((check) =>
    check.story === undefined ? [] : [{ check, story: check.story }],
  )
  const stories = broken.map(({ check: { id }, story }) => [
    storyFile(id),
    `${JSON.stringify(story, null, 2)}\n`,
  ])
  const written = await writeRun(plan.out, results, (run) => ({
    ...Object.fromEntries(stories),
    ...renderAsked(run),
  }))
  const head = broken
    .map(({ check, story }) => storyText(check, story, rerunCommand(check, results, options.out)))
    .join('')
  printResults(results, written, environment, { isJson: options.json, head })
  if (written.failure !== null) throw written.failure
  if (explored.failure !== null) throw explored.failure
  if (interruption.signal.aborted) return interruptedExitCode
  return exitCodeOfResults(results, options.strict)
}

function storyText(
  { id }: CheckResult,
  { opening, told }: NonNullable<CheckResult['story']>,
  again: string | null,
): string {
  const steps = told.map(({ did, came }, index) => {
    const became = came.length === 0 ? '' : ` → ${came.join('; ')}`
    return wrapText(onOneLine(`${did}${became}`), `  ${index + 1}. `.padEnd(6), '      ')
  })
  return `The story of ${id}\n${wrapText(onOneLine(opening), '      ', '      ')}\n${steps.join('\n')}\n      replay: ${again}\n\n`
}
