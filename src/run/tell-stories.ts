import { basename } from 'node:path'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { parseStory } from '../explore/explore-role.ts'
import type { ShownStory } from '../requirement/shown-story.ts'
import type { BlockedLoop } from './blocked-loops.ts'
import { exploreApart } from './explore-apart.ts'
import { readStory } from './read-story.ts'
import { joinSideRuns, type SideRun, withOwnIds } from './worker-protocol.ts'

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
): Promise<SideRun> {
  const runs: SideRun[] = []
  for (const [index, file] of configuration.stories.entries()) {
    if (signal.aborted) break
    const story = await readStory(file)
    const task = { ...options, role: story.role, configuration, milliseconds: 0, replay: story }
    const told = withOwnIds(await exploreApart(task, signal, { onBlocked }), `story${index + 1}-`)
    // Several stories may be about one invariant, so an id also names the story.
    const checks = told.checks.map(({ id, title, ...check }) => ({
      ...check,
      id: `STORY-${index + 1} ${id}`,
      title: `${title}, as told in ${basename(file)}`,
    }))
    runs.push({ ...told, checks })
  }
  return joinSideRuns(runs)
}
