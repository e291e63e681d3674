import { z } from 'zod'
import { exploredRoles } from './explored-roles.ts'

/** Step of a story, with its result. */
const step = z.object({
  /** Action of the step, as a sentence without its end. */
  did: z.string(),
  /** Results of the action, one clause each. */
  came: z.array(z.string()).readonly(),
  /** Ids of the exchanges of this step. */
  evidence: z.array(z.string()).readonly(),
})

/** A story that broke an invariant, as a report tells it and `explore --replay` takes it again. */
export const shownStory = z.object({
  role: z.enum(exploredRoles),
  /** The invariant that it breaks. */
  breaks: z.string(),
  /** Beginning of the story, as a sentence. */
  opening: z.string(),
  told: z.array(step).readonly(),
  /** The steps as data. */
  steps: z.array(z.unknown()).readonly(),
})

export type ShownStory = Readonly<z.infer<typeof shownStory>>
