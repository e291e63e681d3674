import type { Terminal } from './progress.ts'
import type { Selection } from './select-requirements.ts'

export interface RunOptions extends Selection {
  readonly config?: string
  readonly out?: string
  readonly strict: boolean
  readonly wait: boolean
  readonly keepGoing: boolean
  readonly json: boolean
  /** The Pact contracts count, too. */
  readonly withContracts: boolean
  /** The reference's parts run in containers. */
  readonly containers: boolean
  readonly seed?: number
  /** Calling tokens that the run may have issued; `limits.maxMints` where absent. */
  readonly maxMints?: number
  /** The client is a device that somebody operates: judged from its traffic, step by step. */
  readonly observe?: boolean
  /** `2/4`: the second of four machines that share the run. */
  readonly shard?: string
}

export interface RunEnvironment {
  readonly directory: string
  readonly variables: NodeJS.ProcessEnv
  readonly stdout: { write(text: string): unknown }
  readonly stderr: Terminal
  /** Where whoever operates a device says that a step is done. */
  readonly stdin?: NodeJS.ReadableStream
  readonly color: boolean
  /** Calls back once, when the user interrupts. */
  onInterrupt(callback: () => void): void
}
