import type { Member, OpeningOf } from './container-format.ts'
import { expandLz4Block } from './lz4-block.ts'

const mark = Buffer.from('XALZ')
const headBytes = 12

export const assemblies: OpeningOf<'members'> = {
  opens: 'members',
  name: 'assemblies',
  begins: ['XALZ', 'XABA'].map((text) => Buffer.from(text)),
  read: readAssemblies,
  isHead: (head, name) => isOne(head) || isStore(head, name),
}

const markOf = (bytes: Buffer) => bytes.toString('latin1', 0, 4)
const isOne = (bytes: Buffer) => markOf(bytes) === 'XALZ'
const isStore = (bytes: Buffer, name: string) =>
  markOf(bytes) === 'XABA' || (markOf(bytes) === '\x7fELF' && /assembl/i.test(name))

const problem = { kind: 'corrupt', reason: 'the assembly is compressed and cannot be opened' } as const

/**
 * The compressed assemblies of a Xamarin or .NET app: a file of one, a store of many, or a store inside a library. Each begins with a mark, its
 * number, and its size. `bound` is how large one may become.
 */
function* readAssemblies(name: string, bytes: Buffer, bound: number): Generator<Member> {
  const hasMany = isStore(bytes, name)
  if (!hasMany && !isOne(bytes)) return
  let wasted = 0
  for (let at = bytes.indexOf(mark); at !== -1; at = hasMany ? bytes.indexOf(mark, at + headBytes) : -1) {
    if (at + headBytes > bytes.length) return
    const [index, size] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)]
    // Marks that lead to nothing are not tried for ever.
    const isTried = size <= bound && wasted <= bound
    const expanded = isTried ? expandLz4Block(bytes.subarray(at + headBytes), size) : null
    if (isTried && expanded === null) wasted += size
    const own = { name: hasMany ? `assembly ${index}` : name, bytes: expanded }
    yield expanded === null ? { ...own, problem } : own
  }
}
