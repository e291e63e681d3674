import type { Step, Subject } from './subject.ts'

/** The stories that a part was told since it was last brought back, oldest first, as far as their steps were taken. */
export interface History<S extends Step> {
  readonly stories: readonly (readonly S[])[]
  /** Begins anew: the part has forgotten them. */
  clear(): void
}

/** More of them could not be told again in the time of an exploration. */
const mostStories = 4_096

/** Records every story told to a subject, also each retelling, since that leaves damage behind as well. */
export function recordHistory<S extends Step>(
  subject: Subject<S>,
): { readonly subject: Subject<S>; readonly history: History<S> } {
  let stories: S[][] = []
  return {
    subject: {
      ...subject,
      tell: (story, options) =>
        subject.tell((modelRun) => {
          const steps: S[] = []
          stories.push(steps)
          if (stories.length > mostStories) stories.shift()
          return story({
            canTake: (step) => modelRun.canTake(step),
            take(step) {
              steps.push(step)
              return modelRun.take(step)
            },
            end: () => modelRun.end(),
          })
        }, options),
    },
    history: {
      get stories() {
        return stories
      },
      clear() {
        stories = []
      },
    },
  }
}
