import { makeText } from '../../evaluate/value.ts'
import { functionOf, isThing, Thing, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines what runs texts as scripts, makes patterns of them, or makes an error. */
export function defineCode({ machine, define }: Definitions): void {
  const text = (value: Value) => machine.textOf(value)
  define(
    'eval',
    functionOf((_, [code]) => (typeof code === 'string' ? machine.evaluate(code) : code)),
  )
  define(
    'Function',
    functionOf((_, args) => {
      const texts = args.map(text)
      const body = texts.pop() ?? ''
      makeText(
        texts.reduce((sum, { length }) => sum + length + 1, body.length),
        machine.effort,
      )
      return machine.evaluate(`(function(${texts.join()}) {${body}\n})`)
    }),
  )
  define(
    'RegExp',
    functionOf((_, [source, flags = '']) => {
      if (source instanceof RegExp) return source
      if (typeof source !== 'string' || typeof flags !== 'string' || source.length > 512) return unknown
      try {
        return new RegExp(source, flags)
      } catch {
        return unknown
      }
    }),
  )
  let above: Thing | null = null
  for (const name of [
    'Error',
    'TypeError',
    'RangeError',
    'SyntaxError',
    'ReferenceError',
    'EvalError',
    'URIError',
  ]) {
    const prototype = new Thing(above)
    const error = functionOf((self, [message]) => {
      const made = isThing(self) ? self : new Thing(prototype)
      made.fields.set('message', message)
      return made
    })
    prototype.fields.set('constructor', error).set('name', name)
    error.fields.set('prototype', prototype)
    above ??= prototype
    define(name, error)
  }
}
