import type { Encoding } from './encodings.ts'

/** Where in a format a canary belongs, and how it is written there. */
export interface Wish {
  readonly slot: string
  readonly encoding: string
  readonly key: string
  /** The key as its encoding writes it. */
  readonly payload: Buffer
}

/** A copy with canaries, and why some of them are not in it. */
export interface Injected {
  readonly bytes: Buffer
  readonly refused: ReadonlyMap<Wish, string>
}

/**
 * Puts canaries into a copy of a file, which stays valid for its format. Injectors share no code with the audit's own
 * readers: one fault must not hide in both.
 */
export interface Injector {
  readonly format: string
  /** How it recognises a file: the surer ones are asked first. */
  readonly by: 'mark' | 'name' | 'contents'
  recognises(name: string, bytes: Buffer): boolean
  readonly slots: readonly { readonly slot: string; readonly encodings: readonly Encoding[] }[]
  /** @throws RangeError where the file's own tables do not parse */
  inject(bytes: Buffer, wishes: readonly Wish[]): Injected
}

export const none: ReadonlyMap<Wish, string> = new Map()

export function refuseAll(bytes: Buffer, wishes: readonly Wish[], reason: string): Injected {
  return { bytes, refused: new Map(wishes.map((wish) => [wish, reason])) }
}

export function textOf({ payload }: Wish): string {
  return payload.toString('latin1')
}

export function spliced(bytes: Buffer, at: number, removed: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)])
}
