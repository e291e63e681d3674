import type { Effort } from '../../model/effort.ts'
import type { HermesCode } from './code.ts'
import type { HermesFunction } from './functions.ts'
import type { Host } from './host.ts'
import type { Instruction } from './instructions.ts'
import { type Closure, native, type Value } from './values.ts'

/** A text that code puts together, and where in the file its last step is. */
export interface Made {
  readonly text: string
  readonly offset: number
}

export interface Watch {
  onText(made: Made): void
  /** Called for each function that code makes a closure of, with the way on which it is made. */
  onClosure(closure: Closure, way: number): void
  /** Says whether a function is one of those that are looked at. No other is called where a file begins. */
  isOwn(closure: Closure): boolean
  /** Global functions whose calls are answered, whatever the code makes of them. */
  readonly answered: ReadonlySet<string>
  /** Answers the call of a global function; `null` where the engine does. */
  answer(name: string, args: readonly Value[]): { readonly value: Value } | null
}

export interface Run {
  steps: number
  readonly isFirst: boolean
  /** Which of the ways through branches whose condition is not known this is. */
  readonly way: number
  decide(at: number, isBackward: boolean): boolean
}

/** Calls inside each other: an asynchronous function of a compiler takes six. */
export const mostDepth = 48

export const mostItems = 65_536

/** How an instruction is run. */
export type Handler =
  | { readonly kind: 'step'; readonly length: number; readonly act: () => void }
  | { readonly kind: 'jump'; readonly length: number; readonly instruction: Instruction }
  | { readonly kind: 'return' | 'throw'; readonly length: number }

/** Where a function is that runs. */
export interface State {
  readonly one: HermesFunction
  readonly frame: Frame
  readonly registers: Value[]
  at: number
}

export interface Frame {
  readonly registers: Value[]
  readonly closure: Closure
  readonly self: Value
  readonly args: readonly Value[] | null
  /** The values that a generator has given so far; `null` in any other function. */
  readonly given: Value[] | null
}

export const globalObject = native('')

export interface MachineState {
  readonly code: HermesCode
  readonly watch: Watch
  /** Services for calls of the engine. */
  readonly host: Host
  /** How each instruction is run, by its number. */
  readonly handlers: (Handler | undefined)[]
  /** Budget of the whole file. */
  readonly whole: Effort
  /** Budget of what runs at the moment: a part of `whole`. */
  effort: Effort
  readonly globals: Map<string, Value>
  /** The base that code gave to the defaults of a client, by what that is. One that is not known is that of one function. */
  readonly defaultBases: Map<string, string>
  current: Run
  depth: number
  state: State
}

/** The machine and one of its instructions, whose operands are read where the machine is. */
export interface Step {
  readonly machine: MachineState
  readonly instruction: Instruction
  readonly name: string
  readonly operands: string
  /** The index of the last operand. */
  readonly last: number
  readonly number: (operand: number) => number
  readonly value: (operand: number) => Value
  readonly nameAt: (operand: number) => string
  readonly write: (result: Value) => void
  /** Writes a result as well, and reports one that is a text. */
  readonly make: (result: Value) => void
}

/** Actions by the names of their instructions; a key may list several, with spaces between them. */
export type Steps = Readonly<Record<string, (step: Step) => void>>
