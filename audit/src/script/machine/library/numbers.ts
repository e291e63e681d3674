import { bigOf, numberOf } from '../operators.ts'
import { functionOf, isThing, Thing, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

const longestNumber = 1024

/** Defines what makes numbers of texts, and `Math`. */
export function defineNumbers({ machine, define }: Definitions): void {
  const text = (value: Value) => machine.textOf(value)
  const whole = functionOf((_, [value, radix]) =>
    value === unknown || radix === unknown
      ? unknown
      : Number.parseInt(text(value).slice(0, longestNumber), typeof radix === 'number' ? radix : undefined),
  )
  const decimal = functionOf((_, [value]) =>
    value === unknown ? unknown : Number.parseFloat(text(value).slice(0, longestNumber)),
  )
  const number = functionOf((_, [value = 0]) =>
    value === unknown || isThing(value) ? unknown : numberOf(Array.isArray(value) ? text(value) : value),
  )
  number.fields.set('parseInt', whole).set('parseFloat', decimal)
  define('parseInt', whole)
  define('parseFloat', decimal)
  define('Number', number)
  define(
    'BigInt',
    functionOf((_, [value]) => bigOf(value)),
  )
  define(
    'Boolean',
    functionOf((_, [value]) => (value === unknown ? unknown : Boolean(value))),
  )
  define(
    'isNaN',
    functionOf((_, [value]) => (value === unknown ? unknown : Number.isNaN(numberOf(text(value))))),
  )

  defineMath({ machine, define })
}

function defineMath({ define }: Definitions): void {
  const mathNames = [
    'floor',
    'ceil',
    'round',
    'abs',
    'min',
    'max',
    'trunc',
    'pow',
    'sqrt',
    'imul',
    'sign',
    'log2',
  ] as const
  const math = new Thing()
  for (const name of mathNames)
    math.fields.set(
      name,
      functionOf((_, args) =>
        args.every((arg) => typeof arg === 'number')
          ? (Math[name] as (...numbers: number[]) => number)(...(args as number[]))
          : unknown,
      ),
    )
  define('Math', math)
  define('Infinity', Number.POSITIVE_INFINITY)
}

/** Calls a method of a number. */
export function numberMethod(
  self: number | bigint,
  name: string,
  [radix = 10]: readonly Value[],
): { readonly value: Value } | null {
  if (name === 'toString')
    return { value: typeof radix === 'number' && radix >= 2 && radix <= 36 ? self.toString(radix) : unknown }
  if (name === 'toFixed' && typeof self === 'number')
    return { value: typeof radix === 'number' && radix >= 0 && radix <= 20 ? self.toFixed(radix) : unknown }
  return name === 'valueOf' ? { value: self } : null
}
