import type { Configuration } from '../configuration/configuration.ts'

/** The variable by which the command gives the processes of Artillery what it has read and started. */
export const handedOver = 'TWOTOKEN_STORM'

export interface HandedOver {
  readonly configuration: Configuration
  /** The folder for the figures of each thread. */
  readonly partsFolder: string
}

/** Begins the line with the figures of one thread, where there is no folder for them. */
export const partPrefix = 'twotoken storm part '

/** Begins the name of a file with the figures of one thread. */
export const partFile = 'part-'
