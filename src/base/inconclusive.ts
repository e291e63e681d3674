/** The control of a negative case failed: the case says nothing about the implementation. */
export class ControlLost extends Error {
  override readonly name = 'ControlLost'
  readonly evidence: readonly string[]

  constructor(message: string, evidence: readonly string[] = []) {
    super(message)
    this.evidence = evidence
  }
}

/** A block of everyone looked like the rejections that a check counts, and is over: the check says nothing, and can be judged now. */
export class BlockOver extends ControlLost {}

/** A client that was told to connect made no connection to signaling. */
export class NeverConnected extends ControlLost {
  static readonly absence = 'the app did not connect to signaling'
}

/** A client that was told to connect made no call of its token route. */
export const neverAsked = 'the app did not call its token route'

/** Completes "the app connected to signaling with …". */
export const sessionAsCredential = 'the session as credential'

/** Something that the check needs turns out to be missing while it runs. */
export class Untested extends Error {
  override readonly name = 'Untested'
}

/** The end of one check, whatever becomes of the others. */
export function isInconclusive(error: unknown): boolean {
  return error instanceof ControlLost || error instanceof Untested
}
