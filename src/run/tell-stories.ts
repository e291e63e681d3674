import { basename } from 'node:path'
import type { Exchange } from '../base/evidence/exchange.ts'
import type { Registered } from '../base/evidence/secrets.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { parseStory } from '../explore/explore-role.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { ShownStory } from '../requirement/shown-story.ts'
import type { BlockedLoop } from './blocked-loops.ts'
import { exploreApart } from './explore-apart.ts'
import { readStory } from './read-story.ts'

/** Results of the stories of the configuration. */
export interface StoryRun {
  readonly checks: readonly CheckResult[]
  /** With ids of their own, apart from those of the run. */
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly Registered[]
}

export interface TellStoriesOptions {
  readonly seed: number
  readonly environment: NodeJS.ProcessEnv
  readonly fingerprintKey: string
  readonly doubleCertificate?: TestableCertificate
  readonly signal: AbortSignal
  onBlocked(block: BlockedLoop): void
}

/**
 * Reads the stories of the configuration, before anything is judged: a run must not end without its results over a file.
 * @throws TwotokenError `usage` where a file contains no story, or one with unknown steps
 */
export async function readStories(files: readonly string[]): Promise<ShownStory[]> {
  const stories = await Promise.all(files.map(readStory))
  for (const story of stories) parseStory(story.role, story)
  return stories
}

/**
 * Tells the stories of the configuration, one result each. To be called after the checks, since the address of the mint
 * double can be listened on only once at a time.
 * @throws TwotokenError `usage` where a file contains no story
 */
export async function tellStories(
  configuration: Configuration,
  { signal, onBlocked, ...options }: TellStoriesOptions,
): Promise<StoryRun> {
  const run: { checks: CheckResult[]; exchanges: Exchange[]; secrets: Registered[] } = {
    checks: [],
    exchanges: [],
    secrets: [],
  }
  for (const [index, file] of configuration.stories.entries()) {
    if (signal.aborted) break
    const story = await readStory(file)
    const task = { ...options, role: story.role, configuration, milliseconds: 0, replay: story }
    const { checks, exchanges, secrets } = await exploreApart(task, signal, { onBlocked })
    const own = (id: string) => `story${index + 1}-${id}`
    run.checks.push(...checks.map((check) => nameAfter(check, basename(file), index, own)))
    run.exchanges.push(...exchanges.map((exchange) => ({ ...exchange, id: own(exchange.id) })))
    run.secrets.push(...secrets)
  }
  return run
}

/** Several stories may be about one invariant: each result has an id of its own. */
function nameAfter(
  check: CheckResult,
  file: string,
  index: number,
  own: (id: string) => string,
): CheckResult {
  const { id, title, findings, story } = check
  return {
    ...check,
    id: `STORY-${index + 1} ${id}`,
    title: `${title}, as told in ${file}`,
    findings: findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(own) })),
    story: story && nameEvidence(story, own),
  }
}

function nameEvidence(story: ShownStory, own: (id: string) => string): ShownStory {
  return { ...story, told: story.told.map((step) => ({ ...step, evidence: step.evidence.map(own) })) }
}
