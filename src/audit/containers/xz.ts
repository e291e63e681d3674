import { expandedTo, stripSuffix } from './compressed-file.ts'
import type { OpeningOf } from './container-format.ts'
import { expandXz } from './xz-thread.ts'

const mark = Buffer.from('fd377a58', 'hex')

function isXz(bytes: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

export const xz: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'xz',
  begins: [mark],
  expand: (name, bytes, bound) =>
    isXz(bytes) ? expandedTo(stripSuffix(name, /\.t?xz$/i, 'xz'), expandXz(bytes, bound)) : null,
  openLarge: (_, head) => (isXz(head) ? 'xz compression' : null),
}
