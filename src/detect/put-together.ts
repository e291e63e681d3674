import { TwotokenError } from '../base/errors.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { parseBoundedYaml } from './bounded-yaml.ts'

type Json = Readonly<Record<string, unknown>>

export interface ReferenceReader {
  readonly base: URL
  /** The text at an address, or why it is not read: a clause that begins with "which". */
  read(address: URL, signal: AbortSignal): Promise<{ readonly text: string } | { readonly refused: string }>
}

/** A document of which all references are its own, but those that are refused. */
export interface PutTogether {
  readonly document: Json
  /** References as they are written, each with the reason as a clause. */
  readonly refused: ReadonlyMap<string, string>
}

/** More than a document of many files has. What is parsed when the time is over takes two seconds at most. */
const mostDocuments = 200
const mostCharacters = 16 * 1_048_576
const mostMs = 3000
/** The field of the document that the others are put into. */
const field = 'x-documents'

interface Part {
  readonly address: URL
  /** The path to it in the whole document, as a fragment. */
  readonly fragment: string
  readonly value: unknown
}

/** Puts a document and those that it refers to into one, within bounds of number, size and time. */
export async function putTogether(document: Json, reader: ReferenceReader): Promise<PutTogether> {
  const signal = AbortSignal.timeout(mostMs)
  const until = performance.now() + mostMs
  const refused = new Map<string, string>()
  const others: unknown[] = []
  const known = new Map<string, Part | string>()
  let characters = 0
  const load = async (address: URL): Promise<Part | string> => {
    if (others.length >= mostDocuments) return `the ${mostDocuments + 1}st document, which is not read`
    const read = await reader.read(address, signal)
    if ('refused' in read) return read.refused
    characters += read.text.length
    if (characters > mostCharacters) return 'which would be more than 16 MB in all'
    const fail = (what: string) => new TwotokenError('configuration', `which ${what}`)
    try {
      const value = parseBoundedYaml(read.text, fail)
      return { address, fragment: `#/${field}/${others.push(value) - 1}`, value }
    } catch (error) {
      if (error instanceof TwotokenError) return error.message
      throw error
    }
  }
  const root: Part = { address: withoutFragment(reader.base), fragment: '#', value: document }
  known.set(root.address.href, root)
  const left = [root]
  for (let part = left.pop(); part !== undefined; part = left.pop())
    for (const holder of listReferences(part.value)) {
      const { $ref: reference } = holder
      const address = URL.parse(reference, part.address.href)
      if (address === null) {
        refused.set(reference, 'which is no address')
        continue
      }
      const fragment = address.hash.slice(1)
      if (reference.startsWith('#') && part === root) continue
      if (fragment !== '' && !fragment.startsWith('/')) {
        refused.set(reference, 'which names an anchor and no path')
        continue
      }
      const { href } = withoutFragment(address)
      const before = known.get(href)
      const isLate = performance.now() > until
      const meant = before ?? (isLate ? late : await load(withoutFragment(address)))
      known.set(href, meant)
      if (typeof meant === 'string') refused.set(reference, meant)
      else {
        holder.$ref = meant.fragment + fragment
        if (before === undefined) left.push(meant)
      }
    }
  return { document: others.length === 0 ? document : { ...document, [field]: { ...others } }, refused }
}

const late = `which was not read within ${mostMs / 1000} s`

function withoutFragment(address: URL): URL {
  const plain = new URL(address)
  plain.hash = ''
  return plain
}

/** Every object of a document that is a reference, once: an alias of YAML is the same object elsewhere. */
function listReferences(value: unknown): { $ref: string }[] {
  const found: { $ref: string }[] = []
  const seen = new Set<unknown>()
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    if (isRecord(one) && isReference(one)) found.push(one)
    for (const inner of Object.values(one)) left.push(inner)
  }
  return found
}

function isReference(value: object): value is { $ref: string } {
  return '$ref' in value && typeof value.$ref === 'string'
}
