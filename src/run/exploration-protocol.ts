import type { ErrorCode } from '../base/errors.ts'
import type { Registered } from '../base/evidence/secrets.ts'
import type { TestableCertificate } from '../base/tls/certificates.ts'
import type { WatchdogOptions } from '../base/watchdog.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { Explored } from '../explore/explore-role.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import type { ShownStory } from '../requirement/shown-story.ts'

/** The task of a process that explores. It crosses a process boundary, so it is plain data. */
export interface ExplorationTask {
  readonly role: ExploredRole
  readonly configuration: Configuration
  readonly seed: number
  readonly milliseconds: number
  readonly environment: NodeJS.ProcessEnv
  readonly fingerprintKey: string
  readonly doubleCertificate?: TestableCertificate
  /** Tells this story instead of making stories up. */
  readonly replay?: ShownStory | undefined
  readonly watchdog: WatchdogOptions
}

/** A message of the command to the process that explores. */
export type ExplorationOrder =
  | { readonly type: 'begin'; readonly task: ExplorationTask }
  | { readonly type: 'interrupt' }

/** A result, and the secrets that became known since the last one. */
export interface ExploredApart extends Pick<Explored, 'checks' | 'exchanges'> {
  readonly secrets: readonly Registered[]
}

export type ExplorationMessage =
  | { readonly type: 'story'; readonly stories: number; readonly steps: number }
  | { readonly type: 'found'; readonly id: string; readonly title: string }
  | { readonly type: 'soFar' | 'end'; readonly explored: ExploredApart }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }
