import { readFile } from 'node:fs/promises'
import { TwotokenError } from '../base/errors.ts'
import { type ShownStory, shownStory } from '../requirement/shown-story.ts'

/**
 * Reads a story that an exploration has written.
 * @throws TwotokenError `usage` where the file is missing or contains no story
 */
export async function readStory(file: string): Promise<ShownStory> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new TwotokenError(
      'usage',
      `${file} cannot be read as a story: name a story-EXP-….json that twotoken explore has written`,
      error,
    )
  }
  const story = shownStory.safeParse(value)
  if (story.success) return story.data
  throw new TwotokenError(
    'usage',
    `${file} contains no story: name a story-EXP-….json that twotoken explore has written`,
  )
}
