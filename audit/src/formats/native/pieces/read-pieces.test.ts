import { expect, test } from 'vitest'
import { auditFiles, key } from '../../../testing/audit-files.ts'
import { buildProgram } from '../../../testing/build-binary.ts'

const rest = key.slice(8)
const call = [0xe8, 0, 0, 0, 0]

/** Code and data, each for the address of the data. */
interface Parts {
  code(data: number, from: number): Buffer
  readonly data: string
}

const room = 512

const built = (format: 'elf' | 'pe' | 'mach-o', machine: 'x86-64' | 'arm64', { code, data }: Parts) =>
  buildProgram(format, machine, (address) => {
    const instructions = Buffer.concat([Buffer.alloc(16, 0x90), code(address + room, address + 16)])
    const nothing = Buffer.alloc(room - instructions.length, 0x90)
    return Buffer.concat([instructions, nothing, Buffer.from(data, 'latin1')])
  })

const u32 = (value: number) => [...Buffer.from(Uint32Array.of(value >>> 0).buffer)]

/** Eight characters at a time through rax, and the others one by one, to the stack. */
const stored = (text: string): number[] => {
  const whole = Math.floor(text.length / 8) * 8
  const words = Array.from({ length: whole / 8 }, (_, index) => [
    ...[0x48, 0xb8, ...Buffer.from(text.slice(index * 8, index * 8 + 8))],
    ...[0x48, 0x89, 0x44, 0x24, index * 8],
  ])
  const others = [...Buffer.from(text.slice(whole))].map((byte, index) => [
    0xc6,
    0x44,
    0x24,
    whole + index,
    byte,
  ])
  return [...words, ...others].flat()
}

/** Sixteen bytes at a time from the data to the heap; the last ones overlap. */
const copied = (length: number, data: number, from: number): number[] =>
  [0, 16, length - 16].flatMap((at, index) => {
    const next = from + index * 11 + 7
    return [0x0f, 0x10, 0x05, ...u32(data + at - next), 0x0f, 0x11, 0x40, at]
  })

/** Addresses in rdi and rsi. */
const loaded = (texts: readonly number[], from: number): number[] =>
  texts.flatMap((text, index) => [
    0x48,
    0x8d,
    index === 0 ? 0x3d : 0x35,
    ...u32(text - (from + index * 7 + 7)),
  ])

const x64: readonly (readonly [string, Parts])[] = [
  ['numbers to the stack', { code: () => Buffer.from([...stored(key), ...call]), data: '' }],
  [
    'vectors of data that goes on behind the key',
    {
      code: (data, from) => Buffer.from([...copied(key.length, data, from), ...call]),
      data: `${key}moreTextBehind9|x`,
    },
  ],
  [
    'two texts',
    {
      code: (data, from) => Buffer.from([...loaded([data, data + 9], from), ...call]),
      data: `ac_live_\0${rest}\0`,
    },
  ],
  [
    'a prefix of numbers and a text',
    {
      code: (data, from) => Buffer.from([...stored('ac_live_'), ...loaded([data], from + 15), ...call]),
      data: `${rest}\0`,
    },
  ],
]

test.each(
  x64.flatMap(([name, parts]) =>
    (['elf', 'pe', 'mach-o'] as const).map((format) => [name, format, parts] as const),
  ),
)('finds a key that x86-64 code makes of %s in a file of %s', async (_, format, parts) => {
  await expectKey(built(format, 'x86-64', parts))
})

const words = (...values: readonly number[]) => Buffer.from(values.flatMap(u32))

/** Two characters at a time into x8, and that to the stack. */
const moved = (text: string): number[] =>
  Array.from({ length: text.length / 2 }, (_, index) => {
    const number = text.charCodeAt(2 * index) | (text.charCodeAt(2 * index + 1) << 8)
    const part = index % 4
    const move = ((part === 0 ? 0xd2800000 : 0xf2800000) | (part << 21) | (number << 5) | 8) >>> 0
    return part === 3 ? [move, 0xf9000000 | (Math.floor(index / 4) << 10) | (31 << 5) | 8] : [move]
  }).flat()

const addressed = (text: number, register: number): number[] => [
  0x90000000 | register,
  (0x91000000 | ((text & 0xfff) << 10) | (register << 5) | register) >>> 0,
]

const even = key.slice(0, 32)
const arm64: readonly (readonly [string, string, Parts])[] = [
  ['numbers to the stack', even, { code: () => words(...moved(even), 0x94000000), data: '' }],
  [
    'two texts',
    key,
    {
      code: (data) => words(...addressed(data, 0), ...addressed(data + 9, 1), 0x94000000),
      data: `ac_live_\0${rest}\0`,
    },
  ],
  [
    'a vector and a number of data',
    key.slice(0, 24),
    {
      code: (before) => {
        const data = before + 8
        return words(
          0x90000008,
          0x3dc00100 | ((data & 0xfff) << 6),
          0x3d8003e0,
          0xf9400909 | ((data & 0xfff) << 7),
          0xf9000be9,
          0x94000000,
        )
      },
      data: `12345678${key.slice(0, 24)}moreTextBehind9|x`,
    },
  ],
]

test.each(arm64)('finds a key that arm64 code makes of %s', async (_, made, parts) => {
  await expectKey(built('elf', 'arm64', parts), made)
})

test('finds a key that a table has in chunks of one length', async () => {
  const chunks = key.match(/.{1,7}/g) ?? []
  const program = buildProgram('elf', 'x86-64', (address) => {
    const texts = address + chunks.length * 16
    const pairs = chunks.flatMap((chunk, index) => [
      ...u32(texts + index * 7),
      ...u32(0),
      ...u32(chunk.length),
      ...u32(0),
    ])
    return Buffer.concat([Buffer.from(pairs), Buffer.from(`${key}moreTextBehind9|x`)])
  })
  await expectKey(program)
})

/** Marks a program as one of Go. */
const ofGo = '\xff Go buildinf:'

/** A program of Go with words of a prefix apart from each other, each with its length beside its address. */
const ofVariables = (texts: readonly string[], more = '') =>
  buildProgram('elf', 'x86-64', (address) => {
    const first = address + texts.length * 16
    const starts = texts.map(
      (_, index) => first + 1 + texts.slice(0, index).join('|').length + (index > 0 ? 1 : 0),
    )
    const pairs = texts.flatMap((text, index) => [
      ...u32(starts[index] ?? 0),
      ...u32(0),
      ...u32(text.length),
      ...u32(0),
    ])
    return Buffer.concat([Buffer.from(pairs), Buffer.from(`|${texts.join('|')}|${more}${ofGo}`, 'latin1')])
  })

test.each([
  ['in order', ['ac_', 'live_', rest]],
  ['behind the random part', [rest, 'ac_', 'live_']],
  ['without marks', ['ac', 'live', rest]],
  ['with a mark before its longest word', ['ac', '_live_', rest]],
])('finds a key in variables of Go with the prefix %s', async (_, texts) => {
  await expectKey(ofVariables(texts))
})

test('accuses no random text beside variables of Go with other words', async () => {
  const { findings } = await auditFiles({ app: ofVariables([rest, 'live', 'ready', 'closed']) })
  expect(findings).toEqual([])
})

test('accuses no guard beside other texts', async () => {
  const data = `ac_live_\0keys that begin with ac_live_ stay on the server\0ac_test_${rest}\0`
  const code = (at: number, from: number) =>
    Buffer.from([...loaded([at, at + 9], from), ...loaded([at + 58], from + 14), ...call])
  const { findings, gaps } = await auditFiles({ app: built('elf', 'x86-64', { code, data }) })
  expect(findings.filter(({ level }) => level === 'error')).toEqual([])
  expect(gaps).toEqual([])
})

async function expectKey(program: Buffer, made = key): Promise<void> {
  const { findings, gaps } = await auditFiles({ app: program, 'plain.txt': `key: ${made}\n` })
  const plain = findings.find(({ location }) => location.endsWith('plain.txt'))
  const found = findings.filter(({ location, level }) => location.endsWith('app') && level === 'error')
  expect(found.map(({ fingerprint }) => fingerprint)).toContain(plain?.fingerprint)
  expect(gaps).toEqual([])
}
