/** An input that is made to stall, crash or blind the suite, and how much reading it may cost. */
export interface HostileCase {
  readonly name: string
  /** How the input is made, for the table. */
  readonly makes: string
  /** Limit of processor time, of all threads of the child and of what it starts, in seconds. */
  readonly seconds: number
  /** Limit of memory, of the whole child or the largest process that it starts, in megabytes. */
  readonly megabytes: number
  /** Also a part of the slice that the gate runs. */
  readonly isInSlice: boolean
  /** Files that are written before the process starts that reads them: making them is no cost of reading. */
  readonly inputs?: readonly HostileInput[]
  /**
   * Reads the input in a separate process.
   * @param notePeak takes the most megabytes of a command that it has started
   * @param paths of the inputs
   * @throws Error with the reason where the result is wrong
   */
  run(notePeak: (megabytes: number) => void, paths: readonly string[]): Promise<void>
}

export interface HostileInput {
  /** How the file is called. */
  readonly file: string
  readonly bytes: () => Buffer
}

/** Processor time and memory of a case; `failure` is a reason beside these two. */
export interface Spent {
  readonly seconds: number
  readonly megabytes: number
  readonly failure: string | null
}
