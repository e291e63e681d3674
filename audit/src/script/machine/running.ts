import type { Node } from '../parse/scope.ts'
import type { Environment } from './environment.ts'
import type { Measure } from './favourites.ts'
import type { Library, Machine } from './machine.ts'
import type { Thing, Value } from './values.ts'

/** How a statement ended; `null` where the next one runs. */
export type Ending =
  | { readonly kind: 'break' | 'continue'; readonly label: string | null }
  | { readonly kind: 'return'; readonly value: Value }
  | null

/** A call that is running. */
export interface Frame {
  readonly self: Value
  readonly args: readonly Value[]
  /** Class or object whose method runs, for `super`. */
  readonly home: Thing | null
  readonly made: Thing | undefined
  readonly yielded: Value[] | null
}

/** Names and call that a node is run with. */
export interface Place {
  readonly environment: Environment
  readonly frame: Frame
}

export interface Watched {
  /** Called with each text that the script makes. */
  readonly made: (text: string, node: Node) => void
  /** Says whether a part of the script handles a piece of what is looked for. */
  readonly isOfInterest: (node: Node) => boolean
  /** Says how much of the prefix a text is or holds. */
  readonly measure: Measure
  /** Gives the tree of a script in a text; `null` where it is none. */
  readonly parse: (text: string) => Node | null
}

/** How a script is run. */
export interface Way {
  /** Takes a condition that is not known as false. */
  readonly isOther: boolean
  /** Bodies that are longer are not run whole. */
  readonly longBody: number
}

/** A run of a script, which statements and expressions hand on to each other. */
export interface Running extends Machine {
  readonly watched: Watched
  readonly way: Way
  readonly library: Library
  /** Functions that hold something of interest, with the places where they were made. */
  readonly closures: Map<Node, { readonly closure: Thing; readonly home: Thing | null }>
  readonly entered: Set<Node>
  /** Names that functions declare by `var`, by their bodies. */
  readonly hoisted: Map<Node, readonly string[]>
  depth: number
  /** True where a condition was not known. */
  hasChosen: boolean
  /** Where the call of `eval` is that runs now. */
  evaluating: Place | null
  /** Says how much of the prefix the literals of a part of the script are or hold. */
  measure(node: Node | undefined): number
  value(node: Node | null | undefined, place: Place): Value
  run(statement: Node, place: Place): Ending
  runBody(body: Node, place: Place): Value
  runAll(statements: readonly (Node | null)[], place: Place): Ending
}
