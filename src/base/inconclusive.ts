/** The control of a negative case failed: the case says nothing about the implementation. */
export class ControlLost extends Error {
  override readonly name = 'ControlLost'
  readonly evidence: readonly string[]

  constructor(message: string, evidence: readonly string[] = []) {
    super(message)
    this.evidence = evidence
  }
}

/** A ban of every client ended, which may have rejected what the check had sent: it can be judged anew. */
export class BanOver extends ControlLost {}

/** How far a client came that was told to connect, and joined no signaling. */
export type Halt = 'asked for no token' | 'made no connection' | 'offered its session'

export class ClientHalted extends ControlLost {
  readonly halt: Halt

  constructor(halt: Halt, message: string, evidence?: readonly string[]) {
    super(message, evidence)
    this.halt = halt
  }
}

/** Something that the check needs turns out to be missing while it runs. */
export class Untested extends Error {
  override readonly name = 'Untested'
}

export function isInconclusive(error: unknown): boolean {
  return error instanceof ControlLost || error instanceof Untested
}
