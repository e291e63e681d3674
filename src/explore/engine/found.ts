import type { NotServed, Step } from './subject.ts'
import type { ToldStory } from './tell-story.ts'

export interface Counterexample<S extends Step> {
  readonly invariant: string
  readonly story: ToldStory<S>
}

/** A story that breaks an invariant, as short as it could be made. */
export interface Found<S extends Step> extends Counterexample<S> {
  /** Why it accuses no implementation: it did not break the invariant when it was told again. Null where it did. */
  readonly doubt: string | null
  /** Why it could not be told again, where it accuses an implementation all the same. */
  readonly seenOnce?: string
  /** Why it could not be told again, where ordinary use was no longer served. */
  readonly notServed?: NotServed
}
