import { z } from 'zod'
import { exploredRoles } from './explored-roles.ts'

/** What became of one step of a story. */
const step = z.object({
  /** What was done, as a sentence without its end. */
  did: z.string(),
  /** What came of it, one clause each. */
  came: z.array(z.string()).readonly(),
  /** Ids of the exchanges of this step. */
  evidence: z.array(z.string()).readonly(),
})

/** A story that broke an invariant, as a report tells it and `explore --replay` takes it again. */
export const shownStory = z.object({
  role: z.enum(exploredRoles),
  /** The invariant that it breaks. */
  breaks: z.string(),
  /** What it begins with, as a sentence. */
  opening: z.string(),
  told: z.array(step).readonly(),
  /** The steps as data. */
  steps: z.array(z.unknown()).readonly(),
})

export type ShownStory = Readonly<z.infer<typeof shownStory>>
