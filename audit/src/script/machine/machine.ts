import type { Effort } from '../../model/effort.ts'
import type { Value } from './values.ts'

/** Names and methods that the language and its platforms give every script. */
export interface Library {
  /** Gives a name that no script declares; `undefined` without one. */
  global(name: string): { readonly value: Value } | undefined
  /** Gives a function that a framework has only while it runs, by its name; `undefined` without one. */
  hook(name: string): Value
  /** Gives the name of a type that the language has; `undefined` for another function. */
  typeOf(type: Value): string | undefined
  /** Gives a property that the script has added to the prototype of a value's type. */
  extension(object: Value, name: string): Value
  /** Calls a method that the language gives a value; `null` without one. */
  method(self: Value, name: string, args: readonly Value[]): { readonly value: Value } | null
}

/** Services of the interpreter for the library. */
export interface Machine {
  readonly effort: Effort
  readonly library: Library
  call(callee: Value, self: Value, args: readonly Value[]): Value
  construct(callee: Value, args: readonly Value[]): Value
  member(object: Value, name: string): Value
  setMember(object: Value, name: string, value: Value): void
  /** Gives what a loop over a value takes; `null` where that is not known. */
  iterate(value: Value): readonly Value[] | null
  textOf(value: Value): string
  /** Gives the value with most of the prefix, of those that one is picked from by what is not known. */
  favourite(values: Iterable<Value>): Value
  /** Runs a text as a script; `null` where it is none. */
  evaluate(text: string): Value
}
