import { type CostlyFile, type CostlyFiles, key, times, u16, u32, words } from './costly-file.ts'

/** The tables of a DEX file: texts, and numbers that point into the tables before. */
interface Tables {
  readonly texts: readonly string[]
  /** Texts by which descriptors write them. */
  readonly types: readonly number[]
  readonly fields: readonly (readonly [owner: number, type: number, name: number])[]
  /** Each method has the next prototype: all have the same parameters. */
  readonly methods: readonly (readonly [owner: number, name: number])[]
  readonly prototypes?: number | undefined
  readonly parameters?: readonly number[] | undefined
  readonly classes: readonly Type[]
}

interface Type {
  readonly type: number
  readonly parent: number
  /** Its methods are static, one after the other, and have one code. */
  readonly methods?:
    | { readonly first: number; readonly count: number; readonly isStatic: boolean }
    | undefined
}

const head = 112
/** All classes implement the same interfaces, all methods have the same code, and all prototypes the same parameters. */
const [mostInterfaces, noText] = [64, 0xffff_ffff]

function uleb(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left >>>= 7) {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
    if (left <= 0x7f) return Buffer.from(bytes)
  }
}

function build(
  { texts, types, fields, methods, classes, prototypes = 1, parameters = [] }: Tables,
  code: Buffer,
): Buffer {
  const parts: Buffer[] = []
  let at = head
  const put = (bytes: Buffer): number => {
    const start = at
    parts.push(bytes)
    at += bytes.length
    const gap = Buffer.alloc((4 - (at % 4)) % 4)
    parts.push(gap)
    at += gap.length
    return start
  }
  put(Buffer.from(`\x27${key}\0`, 'latin1'))
  const strings = texts.map((text) => Buffer.from(`${'\x01'}${text}\0`, 'latin1'))
  let place = put(Buffer.concat(strings))
  const rows: number[] = []
  for (const { length } of strings) {
    rows.push(place)
    place += length
  }
  const tables: number[] = []
  const table = (count: number, bytes: Buffer) => tables.push(count, put(bytes))
  const interfaces = put(
    Buffer.concat([u32(mostInterfaces), u16(...new Array<number>(mostInterfaces).fill(0))]),
  )
  const list = put(Buffer.concat([u32(parameters.length), u16(...parameters)]))
  const body = put(Buffer.concat([u16(1, 0, 0, 0), u32(0, code.length / 2), code]))
  const data = classes.map(({ methods: own }) => {
    if (own === undefined) return 0
    const flags = own.isStatic ? 8 : 1
    const rest = Array.from({ length: own.count }, (_, index) =>
      Buffer.concat([uleb(index === 0 ? own.first : 1), uleb(flags), uleb(body)]),
    )
    const counts = own.isStatic ? [0, 0, own.count, 0] : [0, 0, 0, own.count]
    return put(Buffer.concat([...counts.map(uleb), ...rest]))
  })
  table(texts.length, words(4, rows))
  table(types.length, words(4, types))
  table(prototypes, words(4, Array.from({ length: prototypes }, () => [0, 0, list]).flat()))
  table(
    fields.length,
    Buffer.concat(fields.map(([owner, type, name]) => Buffer.concat([u16(owner, type), u32(name)]))),
  )
  table(
    methods.length,
    Buffer.concat(
      methods.map(([owner, name], index) => Buffer.concat([u16(owner, index % prototypes), u32(name)])),
    ),
  )
  table(
    classes.length,
    Buffer.concat(
      classes.map(({ type, parent }, index) =>
        u32(type, 1, parent, interfaces, noText, 0, data[index] ?? 0, 0),
      ),
    ),
  )
  const header = Buffer.alloc(head)
  header.write('dex\n035\0', 'latin1')
  header.writeUInt32LE(at, 32)
  for (const [index, value] of tables.entries()) header.writeUInt32LE(value, 56 + index * 4)
  return Buffer.concat([header, ...parts])
}

const file = (bytes: CostlyFile['bytes']): CostlyFile => ({ file: 'a.dex', bytes })
/** Loads the first text, and puts it into the first field. */
const puts = Buffer.from('1a0000006900000' + '00e00', 'hex')
const [piece, name] = [0, 1]
const classNames = (count: number) => Array.from({ length: count }, (_, index) => `La${index.toString(36)};`)
const mostClasses = 60_000

/** Each class extends the next one, the last the first. */
function chain(count: number): Type[] {
  return Array.from({ length: count }, (_, type) => ({ type, parent: (type + 1) % count }))
}

/** Programs in which searches of what classes inherit are costly. */
export const dexPrograms: CostlyFiles = {
  'fields that classes in a circle inherit': file((size) => {
    const count = Math.min(mostClasses, times(size, 100))
    const texts = ['ac_live_', 'f', ...classNames(count)]
    const types = Array.from({ length: count }, (_, index) => index + 2)
    const fields = Array.from({ length: times(size, 16) }, (_, index) => [index % count, 0, name] as const)
    const own = { first: 0, count: 1, isStatic: true }
    const classes = chain(count).map((one, index) => (index === 0 ? { ...one, methods: own } : one))
    return build({ texts, types, fields, methods: [[0, name]], classes }, puts)
  }),
  'methods with a long name in a circle of classes': file((size) => {
    const count = Math.min(mostClasses, times(size, 100))
    const texts = ['ac_live_', 'm'.repeat(size / 4), ...classNames(count)]
    const types = Array.from({ length: count }, (_, index) => index + 2)
    const methods = Array.from(
      { length: Math.min(65_000, times(size, 40)) },
      (_, index) => [index % count, name] as const,
    )
    const classes = chain(count).map((one, index) => ({
      ...one,
      methods: index < methods.length ? { first: index, count: 1, isStatic: false } : undefined,
    }))
    return build({ texts, types, fields: [[0, 0, piece]], methods, classes }, puts)
  }),
  'prototypes whose many parameters have long names': file((size) => {
    const count = times(size, 25)
    const texts = ['ac_live_', 'm', 'La;', `L${'b'.repeat(1000)};`]
    const methods = Array.from({ length: count }, () => [0, name] as const)
    const classes = [{ type: 0, parent: 0, methods: { first: 0, count, isStatic: false } }]
    const parameters = new Array<number>(255).fill(1)
    return build(
      {
        texts,
        types: [2, 3],
        fields: [[0, 0, piece]],
        methods,
        classes,
        prototypes: Math.min(65_535, count),
        parameters,
      },
      puts,
    )
  }),
}
