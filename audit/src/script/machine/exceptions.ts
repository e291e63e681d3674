import type { Frame } from './running.ts'
import type { Value } from './values.ts'

/** Something that a script throws itself. */
export class Thrown {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

/** A generator whose values are never all taken. */
export class EnoughYielded {
  readonly frame: Frame
  constructor(frame: Frame) {
    this.frame = frame
  }
}

/** The end of a chain of optional members, whose object is not there. */
export class ChainEnded {}

/** Runs a part of a script; what it throws ends no other part. */
export function guarded(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof Thrown) && !(error instanceof EnoughYielded) && !(error instanceof RangeError))
      throw error
  }
}
