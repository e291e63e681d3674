import { isAssembly, readAssembly } from '../bytecode/assembly.ts'
import type { Extent, StringTable } from '../scan/string-table.ts'
import { type MarkedFormat, noInjectors } from './audited-format.ts'

/** Programs and libraries of .NET. */
export const dotnet: MarkedFormat = {
  by: 'mark',
  name: 'dotnet',
  marks: [0x4d5a9000],
  isMeant: isAssembly,
  read: readTexts,
  async readMore(audit, file) {
    const { foldAssembly } = await import('../bytecode/fold-assembly.ts')
    foldAssembly(audit, file)
  },
  injectors: noInjectors,
}

/** The texts that code loads, in UTF-16, each with its length, and arrays of constants. Names are found in the bytes. */
function readTexts(bytes: Buffer): StringTable {
  const file = readAssembly(bytes)
  const data = file.data()
  const texts = file.texts.map(({ start, end }): Extent => ({ start, end, view: 'utf-16le', role: 'value' }))
  // Characters are in UTF-16 and bytes are not; what an array is of stands in the code alone.
  const arrays = data.flatMap(({ start, end }): Extent[] => [
    { start, end, view: 'utf-8', role: 'value' },
    { start, end: end - ((end - start) % 2), view: 'utf-16le', role: 'value' },
  ])
  const [first, last] = [texts[0], texts.at(-1)]
  const ofTexts = first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }]
  return { extents: [...texts, ...arrays], regions: [...ofTexts, ...data] }
}
