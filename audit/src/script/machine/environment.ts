import { unknown, type Value } from './values.ts'

/** A name with its value; what gives it one is run when it is first read. */
interface Cell {
  value: Value
  later: (() => void) | null
  /** Another name for something that is read elsewhere: what is added to it cannot wait until this one is read. */
  isAlias: boolean
}

export interface Properties {
  has(name: string): boolean
  read(name: string): Value
  write(name: string, value: Value): void
}

/** The names of a block or function that is running. */
export class Environment {
  readonly #cells = new Map<string, Cell>()
  readonly parent: Environment | null
  /** A `var` belongs to the function. */
  readonly isFunction: boolean
  /** How many there are around it. */
  readonly depth: number
  /** The properties of an object, which a `with` makes names. */
  readonly properties: Properties | null

  constructor(parent: Environment | null, isFunction: boolean, properties: Properties | null = null) {
    this.parent = parent
    this.isFunction = isFunction
    this.properties = properties
    this.depth = parent === null ? 0 : parent.depth + 1
  }

  declare(name: string, value: Value): void {
    const cell = this.#cells.get(name)
    if (cell === undefined) this.#cells.set(name, { value, later: null, isAlias: false })
    else Object.assign(cell, { value, later: null })
  }

  /** Declares a name for what runs when it is read. */
  declareLater(name: string, later: () => void, isAlias = false): void {
    this.#cells.set(name, { value: unknown, later, isAlias })
  }

  /** Adds to what is run when a name is first read. @returns `false` where that has been, or is not to be waited for */
  addLater(name: string, more: () => void): boolean {
    const cell = this.#cells.get(name)
    if (cell === undefined || cell.later === null || cell.isAlias) return false
    const { later } = cell
    cell.later = () => {
      later()
      more()
    }
    return true
  }

  has(name: string): boolean {
    return this.#cells.has(name)
  }

  names(): string[] {
    return [...this.#cells.keys()]
  }

  /** Gives a value; `null` for a name that nothing here declares. */
  read(name: string): { readonly value: Value } | null {
    const found = this.#find(name)
    if (found === null || isCell(found)) {
      if (found?.later != null) {
        const { later } = found
        found.later = null
        later()
      }
      return found
    }
    return { value: found.read(name) }
  }

  write(name: string, value: Value): boolean {
    const found = this.#find(name)
    if (found === null) return false
    if (isCell(found)) Object.assign(found, { later: null, value })
    else found.write(name, value)
    return true
  }

  /** Finds what declares a name, or the object of a `with` that has it. */
  #find(name: string): Cell | Properties | null {
    for (let at: Environment | null = this; at !== null; at = at.parent) {
      const cell = at.#cells.get(name)
      if (cell !== undefined) return cell
      if (at.properties?.has(name) === true) return at.properties
    }
    return null
  }
}

function isCell(found: Cell | Properties): found is Cell {
  return 'later' in found
}

export function functionAround(environment: Environment): Environment {
  let at = environment
  while (!at.isFunction && at.parent !== null) at = at.parent
  return at
}
