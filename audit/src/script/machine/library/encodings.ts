import { pay } from '../../../model/effort.ts'
import { makeText } from '../../evaluate/value.ts'
import { functionOf, type Native, unknown, type Value } from '../values.ts'
import type { Definitions } from './definitions.ts'

/** Defines the globals that turn one text into another: base64 and escapes. */
export function defineEncodings({ machine, define }: Definitions): void {
  const { effort } = machine
  const text = (value: Value) => machine.textOf(value)
  const fromText =
    (make: (text: string) => string): Native =>
    (_, [given]) => {
      if (typeof given !== 'string')
        return given === undefined ? unknown : given === unknown ? unknown : make(text(given))
      makeText(given.length * 2, effort)
      pay(effort, given.length)
      return make(given)
    }
  const decode = (value: string) => Buffer.from(value, 'base64').toString('latin1')
  define('atob', functionOf(fromText(decode)))
  define('btoa', functionOf(fromText((value) => Buffer.from(value, 'latin1').toString('base64'))))
  const percent = fromText((value) =>
    value.replace(/%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, (_, wide?: string, hex?: string) =>
      String.fromCharCode(Number.parseInt(wide ?? hex ?? '', 16)),
    ),
  )
  for (const name of ['unescape', 'decodeURIComponent', 'decodeURI']) define(name, functionOf(percent))
  const escaped = fromText((value) => (value.isWellFormed() ? encodeURIComponent(value) : value))
  for (const name of ['escape', 'encodeURIComponent', 'encodeURI']) define(name, functionOf(escaped))
}
