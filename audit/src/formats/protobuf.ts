import type { Extent, StringTable } from '../search/string-table.ts'
import { nameIn } from '../search/window.ts'
import type { NamedFormat } from './audited-format.ts'
import { assertHoldable, varint } from './fields.ts'

/** A label is the name of the values behind it in its message; a title begins an element, whose labels it has for itself. */
type Kind = 'name' | 'label' | 'title' | 'value'

/**
 * The contents of a message's fields: another message, a string, or (where nothing is said) whatever they look
 * like.
 */
type Schema = { readonly [field: number]: Kind | (() => Schema) }

const entry: Schema = { 2: 'label' }
const type: Schema = { 2: 'name', 3: () => entry }
const appPackage: Schema = { 2: 'name', 3: () => type }
const resourceTable: Schema = { 2: () => appPackage }

const attribute: Schema = { 1: 'name', 2: 'label', 3: 'value' }
const namespace: Schema = { 1: 'name', 2: 'name' }
const element: Schema = { 1: () => namespace, 2: 'name', 3: 'title', 4: () => attribute, 5: () => node }
const node: Schema = { 1: () => element, 2: 'value' }

/** `resources.pb` of an app bundle. */
export const protoResources: NamedFormat = {
  by: 'name',
  name: 'proto-resources',
  firstByte: 0x0a,
  isMeant: (name) => /^resources\.pb$/i.test(name),
  read: (bytes) => readMessage(bytes, resourceTable),
}

/** An XML document in the form that an app bundle has it in. */
export const protoXml: NamedFormat = {
  by: 'name',
  name: 'proto-xml',
  firstByte: 0x0a,
  isMeant: (name, bytes) => /\.xml$/i.test(name) && !isText(bytes, 0, Math.min(bytes.length, mostOfHead)),
  read: (bytes) => readMessage(bytes, node),
}

function readMessage(bytes: Buffer, schema: Schema): StringTable {
  const strings: Strings = { extents: [] }
  if (!walk(bytes, 0, bytes.length, schema, strings, 0)) throw new RangeError('the message does not parse')
  return { extents: strings.extents, regions: [] }
}

/** The strings so far, the last label, and the value of the attribute `name` of the last element. */
interface Strings {
  readonly extents: Extent[]
  label?: Extent | undefined
  beside?: Extent | undefined
}

const deepest = 100
/** A document has small numbers, which no text has, in its first names. */
const mostOfHead = 1024

/** Collects the strings of a message. @returns whether the bytes are a message; nothing is collected otherwise */
function walk(
  bytes: Buffer,
  from: number,
  to: number,
  schema: Schema,
  strings: Strings,
  depth: number,
): boolean {
  if (depth > deepest) return false
  const found = strings.extents.length
  const fail = () => {
    strings.extents.length = found
    return false
  }
  for (let at = from; at < to; ) {
    const tag = varint(bytes, at, to)
    if (tag === null || tag.value < 8) return fail()
    const field = Math.floor(tag.value / 8)
    at = tag.next
    const wire = tag.value % 8
    if (wire === 0) {
      const number = varint(bytes, at, to)
      if (number === null) return fail()
      at = number.next
    } else if (wire === 1 || wire === 5) at += wire === 1 ? 8 : 4
    else if (wire === 2) {
      const length = varint(bytes, at, to)
      if (length === null || length.next + length.value > to) return fail()
      const [start, end] = [length.next, length.next + length.value]
      collect(bytes, start, end, schema[field], strings, depth)
      at = end
    } else return fail()
    if (at > to) return fail()
  }
  return true
}

function collect(
  bytes: Buffer,
  start: number,
  end: number,
  kind: Schema[number] | undefined,
  strings: Strings,
  depth: number,
): void {
  if (typeof kind === 'function') {
    if (!walk(bytes, start, end, kind(), strings, depth + 1)) throw new RangeError('a message does not parse')
    strings.label = undefined
  } else if (
    kind !== undefined ||
    isString(bytes, start, end) ||
    !walk(bytes, start, end, {}, strings, depth + 1)
  )
    add(
      bytes,
      strings,
      { start, end, view: 'utf-8', role: (kind ?? 'value') === 'value' ? 'value' : 'name' },
      kind,
    )
}

/** A value that is called `value` goes by the `name` beside it, as in `<meta-data>`. */
function add(bytes: Buffer, strings: Strings, extent: Extent, kind: Kind | undefined): void {
  const { extents, label, beside } = strings
  assertHoldable(extents.length)
  const isCalled = (word: string) => label !== undefined && nameIn(bytes, label) === word
  if (kind === 'title') strings.beside = undefined
  if (kind === 'label') strings.label = extent
  if (extent.role === 'name') extents.push(extent)
  else extents.push({ ...extent, named: isCalled('value') ? (beside ?? label) : label })
  if (kind === 'value' && isCalled('name')) strings.beside = extent
}

/** A line feed is also the tag of a first field: where that field's length fits to the byte, it is a message. */
function isString(bytes: Buffer, start: number, end: number): boolean {
  const length = bytes[start] === 10 ? varint(bytes, start + 1, end) : null
  return isText(bytes, start, end) && (length === null || length.next + length.value !== end)
}

/** No control characters but white space: a message has at least one small number in it. */
function isText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return false
  }
  return true
}
