/** Tells the supervisor what is being read. */
export interface Pulse {
  /** From now on until `leave`, this is what is read. */
  enter(location: string): void
  /** The file around it is read again. */
  leave(): void
  /** Another part of it is read. */
  beat(): void
}

/** The pulse of an audit that no one watches. */
export const unwatched: Pulse = { enter() {}, leave() {}, beat() {} }

/** How much of a file or an entry is still read that was not read within the limits. */
export type Spared = 'parsing' | 'all'
