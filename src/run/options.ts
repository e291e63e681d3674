import type { Selection } from './select-requirements.ts'

export interface RunOptions extends Selection {
  readonly config?: string | undefined
  readonly out?: string
  readonly strict?: boolean
  /** Cases that wait for an expiry are judged, unless it is false. */
  readonly wait?: boolean
  readonly keepGoing?: boolean
  readonly json?: boolean
  readonly withContracts?: boolean
  readonly containers?: boolean
  readonly seed?: number
  /** Calling tokens that the run may have issued; `limits.maxMints` where absent. */
  readonly maxMints?: number
  /** The client is a device that a person operates: it is judged by its traffic, step by step. */
  readonly observe?: boolean
  /** Traces and screenshots of pages are kept where a requirement of the client is not met. */
  readonly screenshots?: boolean
  /** `full`: what the mask hides is written to a file of its own. */
  readonly evidence?: 'masked' | 'full'
}

export interface Terminal {
  readonly isTTY: boolean
  readonly columns: number
  write(text: string): void
}

export interface RunEnvironment {
  readonly directory: string
  readonly variables: NodeJS.ProcessEnv
  readonly stdout: { write(text: string): unknown }
  readonly stderr: Terminal
  /** Where the person at a device confirms each step. */
  readonly stdin?: NodeJS.ReadableStream
  readonly color: boolean
  /** The width of the terminal that stdout is, where it is one. */
  readonly columns?: number | undefined
  /** Calls back once, when the user interrupts. */
  onInterrupt(callback: () => void): void
}
