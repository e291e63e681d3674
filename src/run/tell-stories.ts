import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { parseStory } from '../explore/explore-role.ts'
import { type ShownStory, shownStory } from '../requirement/shown-story.ts'
import type { BlockedLoop } from './blocked-loops.ts'
import { exploreApart } from './explore-apart.ts'
import { type ExplorationTask, joinSideRuns, type SideRun, withOwnIds } from './worker-protocol.ts'

type TaskPart = 'seed' | 'environment' | 'fingerprintKey' | 'doubleCertificate'
interface TellStoriesOptions extends Pick<ExplorationTask, TaskPart> {
  readonly signal: AbortSignal
  onBlocked(block: BlockedLoop): void
}

/** Reads a story that an exploration has written; throws `usage` where the file contains none. */
export async function readStory(file: string): Promise<ShownStory> {
  const unread = (what: string, cause: unknown) =>
    new TwotokenError(
      'usage',
      `${file} ${what}: name a story-EXP-….json that twotoken explore has written`,
      cause,
    )
  const value: unknown = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch((error: unknown) => Promise.reject(unread('cannot be read as a story', error)))
  const story = shownStory.safeParse(value)
  if (story.success) return story.data
  throw unread('contains no story', story.error)
}

/** Reads all stories before anything is judged: a run must not end without its results over a file. */
export async function readStories(files: readonly string[]): Promise<ShownStory[]> {
  const stories = await Promise.all(files.map(readStory))
  for (const story of stories) parseStory(story.role, story)
  return stories
}

/** One result for each story. Called after the checks: only one process at a time can be the mint double. */
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
