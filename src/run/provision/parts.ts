import type { StartConfiguration, StartContainer } from '../../configuration/configuration.ts'

export const all = ['mint', 'backend', 'signaling'] as const
export type Part = (typeof all)[number]

export interface ContainerOptions {
  readonly containers: Readonly<Partial<Record<Part, StartContainer>>>
  readonly readyTimeoutSeconds: StartConfiguration['readyTimeoutSeconds']
  /** What the images of the reference are built on. */
  readonly baseImage: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** One part that runs in a container: the user's image, or the reference's. */
export interface Chosen {
  readonly part: Part
  readonly image: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  readonly health?: string
  readonly isReference: boolean
}
