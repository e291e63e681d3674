/**
 * The budget that reading may still spend, apart from passes over the bytes. Anything that costs more than
 * its size pays first. So no value is made that is too large, and nothing begins that takes too long.
 */
export interface Effort extends Allowance {
  steps: number
  bytes: number
  /**
   * The effort that this is a part of, which pays the steps as well. Values of a part are gone when the part
   * is done.
   */
  readonly whole: Effort | null
}

export interface Allowance {
  /** Looks at a character, a node or a place, of about twenty nanoseconds each. */
  readonly steps: number
  /** Bytes of the values that are made. */
  readonly bytes: number
}

/** Thrown where something would cost more than is left for it. */
export class OverEffort extends Error {
  override readonly name = 'OverEffort'
  /** The effort that has run out: a part, or the whole. */
  readonly effort: Effort

  constructor(effort: Effort) {
    super('reading this costs more than the limits allow')
    this.effort = effort
  }
}

/** @throws OverEffort where either is more than is left; then nothing is paid */
export function pay(effort: Effort, steps: number, bytes = 0): void {
  // Not the other way round: a cost that is no number is too much.
  if (!(bytes <= effort.bytes)) throw new OverEffort(effort)
  for (let part: Effort | null = effort; part !== null; part = part.whole)
    if (!(steps <= part.steps)) throw new OverEffort(part)
  for (let part: Effort | null = effort; part !== null; part = part.whole) part.steps -= steps
  effort.bytes -= bytes
}

/** Says that something can never be paid. @throws OverEffort */
export function giveUp(effort: Effort): never {
  throw new OverEffort(effort)
}

export function partOf(whole: Effort | null, most: Allowance): Effort {
  return { ...most, whole }
}

/** Adds to what is left. */
export function raise(effort: Effort, steps: number): void {
  effort.steps += steps
}

const million = 1_000_000
const stepsOfByte = 30

/** The budget of a path, however little there is to read: no number of small files takes for ever. */
export const ofPath: Allowance = { steps: 100 * million, bytes: 32 * million }

/**
 * The ratio by which the files of an archive honestly grow. Packing hostile files a hundred times gains
 * nothing.
 */
const plausibleRatio = 4

/** Returns the steps that a file on disk adds to that, with all that is packed into it. */
export function stepsOfPacked(size: number): number {
  return plausibleRatio * stepsOfByte * size
}

/** Returns the share of one file, packed or not. Its base is there however small the file is. */
export function ofFile(size: number): Allowance {
  return { steps: 20 * million + stepsOfByte * size, bytes: 32 * million + 8 * size }
}

export function ofScript(size: number): Allowance {
  return { steps: 16 * million + stepsOfByte * size, bytes: 8 * million + 2 * size }
}

/** One expression of a script, so that the others are evaluated whatever it costs. */
export const ofExpression: Allowance = { steps: 8 * million, bytes: 8 * million }
