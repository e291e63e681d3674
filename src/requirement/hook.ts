/** Something that the operator has the suite do to the implementation. */
export interface Hook {
  /** Throws `ControlLost` where its command fails. */
  run(): Promise<void>
}
