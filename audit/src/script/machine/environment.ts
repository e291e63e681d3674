import { unknown, type Value } from './values.ts'

/** A name with its value; what gives it one is run when it is first read. */
interface Cell {
  value: Value
  later: (() => void) | null
}

/** The names of a block or function that is running. */
export class Environment {
  readonly #cells = new Map<string, Cell>()
  readonly parent: Environment | null
  /** A `var` belongs to the function. */
  readonly isFunction: boolean
  /** How many there are around it. */
  readonly depth: number

  constructor(parent: Environment | null, isFunction: boolean) {
    this.parent = parent
    this.isFunction = isFunction
    this.depth = parent === null ? 0 : parent.depth + 1
  }

  declare(name: string, value: Value): void {
    const cell = this.#cells.get(name)
    if (cell === undefined) this.#cells.set(name, { value, later: null })
    else Object.assign(cell, { value, later: null })
  }

  /** Declares a name for what runs when it is read. */
  declareLater(name: string, later: () => void): void {
    this.#cells.set(name, { value: unknown, later })
  }

  has(name: string): boolean {
    return this.#cells.has(name)
  }

  names(): string[] {
    return [...this.#cells.keys()]
  }

  /** Gives a value; `null` for a name that nothing here declares. */
  read(name: string): { readonly value: Value } | null {
    const cell = this.#find(name)
    if (cell?.later != null) {
      const { later } = cell
      cell.later = null
      later()
    }
    return cell
  }

  write(name: string, value: Value): boolean {
    const cell = this.#find(name)
    if (cell === null) return false
    cell.later = null
    cell.value = value
    return true
  }

  #find(name: string): Cell | null {
    for (let at: Environment | null = this; at !== null; at = at.parent) {
      const cell = at.#cells.get(name)
      if (cell !== undefined) return cell
    }
    return null
  }
}

export function functionAround(environment: Environment): Environment {
  let at = environment
  while (!at.isFunction && at.parent !== null) at = at.parent
  return at
}
