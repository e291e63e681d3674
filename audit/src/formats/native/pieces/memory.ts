import type { Piece } from '../../join-pieces.ts'

/** A text that code uses. */
export interface Used extends Piece {
  /** The instruction that uses it first. */
  readonly at: number
  /** Code writes it into memory, number by number; otherwise code refers to it. */
  readonly isStored: boolean
}

/** Gives the text at an offset to which an instruction at a place refers; empty where none is. */
export type TextAt = (start: number, at: number) => string

export interface Place {
  /** The name of the operand without the distance; it begins with a register. */
  readonly base: string
  readonly distance: number
  /** The instruction that stores there. */
  readonly at: number
}

/** Memory as far as code fills it with numbers that it holds. */
export interface Memory {
  /** An unknown value is in no text. */
  store(place: Place, value: Uint8Array | undefined): void
  /** Tells the texts behind the names that begin like this, and forgets them. */
  flush(base: string): void
}

const mostCells = 4096

export function createMemory(tell: (used: Used) => void): Memory {
  const memory = new Map<string, { readonly at: number; readonly cells: Map<number, number> }>()
  return {
    store({ base, distance, at }, value) {
      const stored = memory.get(base) ?? { at, cells: new Map<number, number>() }
      memory.set(base, stored)
      if (value !== undefined && stored.cells.size < mostCells)
        for (const [index, byte] of value.entries()) stored.cells.set(distance + index, byte)
    },
    flush(named) {
      for (const [base, { at, cells }] of memory)
        if (base.startsWith(named)) {
          for (const text of textsIn(cells)) tell({ text, offset: at, at, isStored: true })
          memory.delete(base)
        }
    },
  }
}

/** Texts of neighbouring cells; a zero ends one. */
function textsIn(cells: ReadonlyMap<number, number>): string[] {
  const places = [...cells.keys()].sort((one, other) => one - other)
  const texts: string[] = []
  let text = ''
  for (const [index, place] of places.entries()) {
    const code = cells.get(place) ?? 0
    const isText = code >= 0x20 && code < 0x7f
    if (!isText || (index > 0 && places[index - 1] !== place - 1)) {
      texts.push(text)
      text = ''
    }
    if (isText) text += String.fromCharCode(code)
  }
  return [...texts, text].filter((one) => one.length > 1)
}
