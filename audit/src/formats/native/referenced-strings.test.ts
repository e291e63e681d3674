import { expect, test } from 'vitest'
import { auditFiles, key } from '../../testing/audit-files.ts'
import { buildProgram } from '../../testing/build-binary.ts'

const markOfGo = '\xff Go buildinf:'
const before = 'failed to prepare: '
const behind = 'address bad typecgocheckdeadlock'

/** Code for x86-64 or arm64 that loads an address and a length, which is 8 where it is that of the prefix. */
type Code = (from: number, to: number, length: number) => Buffer

const x64 =
  (lea: number, ...load: readonly number[]): Code =>
  (from, to, length) => {
    const code = Buffer.from([0x90, 0x48, 0x8d, lea, 0, 0, 0, 0, ...load, 0, 0, 0, 0])
    code.writeInt32LE(to - (from + 8), 4)
    code.writeUInt32LE(length, code.length - 4)
    return code
  }

/** `lea` into r15, and behind a call a copy of it in rdx, with the length in ecx. */
const copied: Code = (from, to, length) => {
  const code = x64(0x3d, 0xff, 0xd0, 0x4c, 0x89, 0xfa, 0xb9)(from, to, length)
  code[1] = 0x4c
  return code
}

/** `push` and `pop rsi`, as code that is made small has them. */
const pushed: Code = (from, to, length) => x64(0x3d, 0x6a, length, 0x5e)(from, to, 0)

/** `mov eax` of the length and `lea` into rcx, which are copied to rbx and rax where a branch of Go meets another. */
const chosen: Code = (from, to, length) => {
  const code = Buffer.from([
    0x90, 0xb8, 0, 0, 0, 0, 0x48, 0x8d, 0x0d, 0, 0, 0, 0, 0x90, 0x48, 0x89, 0xc3, 0x48, 0x89, 0xc8,
  ])
  code.writeUInt32LE(length, 2)
  code.writeInt32LE(to - (from + 13), 9)
  return code
}

const arm64 =
  (load: (length: number) => readonly number[]): Code =>
  (_, to, length) => {
    const words = [0x90000000, (0x91000000 | ((to & 0xfff) << 10)) >>> 0, ...load(length)]
    const code = Buffer.alloc(words.length * 4)
    for (const [index, word] of words.entries()) code.writeUInt32LE(word >>> 0, index * 4)
    return code
  }

/** 'orr' loads the length of the prefix, and 'movz' every other. */
const number = (register: number) => (length: number) =>
  (length === 8 ? 0xb27d03e0 : 0xd2800000 | (length << 5)) | register

const pair: Code = (_, to, length) => {
  const words = Buffer.alloc(16)
  words.writeBigUInt64LE(BigInt(to), 0)
  words.writeBigUInt64LE(BigInt(length), 8)
  return words
}

const built = (
  format: 'elf' | 'pe' | 'mach-o',
  machine: 'x86-64' | 'arm64',
  code: Code,
  [first, text, last]: readonly [string, string, string],
  { length = text.length, mark = '' } = {},
) =>
  buildProgram(format, machine, (address) => {
    const to = address + 64 + first.length
    const instructions = code(address, to, length)
    const room = Buffer.alloc(64 - instructions.length)
    return Buffer.concat([instructions, room, Buffer.from(`${first}${text}${last}\0${mark}`, 'latin1')])
  })

test.each([
  ['data of an ELF', 'elf', 'x86-64', pair, ''],
  ['data of a program of Windows', 'pe', 'arm64', pair, ''],
  ['data of a Mach-O', 'mach-o', 'arm64', pair, ''],
  ['registers of Go', 'elf', 'x86-64', x64(0x1d, 0xb9), markOfGo],
  ['registers of Windows', 'pe', 'x86-64', x64(0x0d, 0xba), ''],
  ['registers of Linux', 'elf', 'x86-64', x64(0x3d, 0xbe), ''],
  ['a register that a loop copies', 'elf', 'x86-64', copied, ''],
  ['a register that a branch copies', 'elf', 'x86-64', x64(0x05, 0x48, 0x89, 0xc7, 0xbe), markOfGo],
  ['registers that a branch chooses', 'elf', 'x86-64', chosen, markOfGo],
  ['a number that is pushed', 'elf', 'x86-64', pushed, ''],
  [
    'places on the stack',
    'elf',
    'x86-64',
    x64(0x05, 0x48, 0x89, 0x44, 0x24, 0x18, 0x48, 0xc7, 0x44, 0x24, 0x20),
    '',
  ],
  ['registers of arm64', 'mach-o', 'arm64', arm64((length) => [number(1)(length)]), ''],
  ['a pair stored on arm64', 'elf', 'arm64', arm64((length) => [number(8)(length), 0xa90123e0]), ''],
  [
    'places stored on arm64',
    'elf',
    'arm64',
    arm64((length) => [number(5)(length), 0xf9000460 | 5, 0xf9000060]),
    '',
  ],
] as const)('knows the length of a string from %s', async (_, format, machine, code, mark) => {
  const planted = built(format, machine, code, [before, key, behind], { mark })
  const { findings, gaps } = await auditFiles({ app: planted })
  expect(findings).toMatchObject([{ rule: 'AUD-001', length: key.length, decoder: 'string-table', format }])
  expect(findings[0]?.extent).toBe(undefined)
  expect(gaps).toEqual([])
  const bare = built(format, machine, code, [before, 'ac_live_', behind], { mark })
  expect((await auditFiles({ app: bare })).findings).toMatchObject([{ rule: 'AUD-004', level: 'warning' }])
})

test('knows the end of a text behind a zero, where a shorter text begins that code loads', async () => {
  const code: Code = (from, to) => {
    const word = pair(from, to, key.length)
    return Buffer.concat([word, x64(0x3d, 0xbe)(from + word.length, to + key.length, 6)])
  }
  const { findings } = await auditFiles({ app: built('elf', 'x86-64', code, ['begin\0', key, 'region']) })
  expect(findings).toMatchObject([{ rule: 'AUD-001', length: key.length, decoder: 'string-table' }])
  expect(findings[0]?.extent).toBe(undefined)
})

test('takes no other number for the length of a text that ends with a zero', async () => {
  const texts = ['\0', key, ''] as const
  const { findings } = await auditFiles({ app: built('elf', 'x86-64', pair, texts, { length: 20 }) })
  expect(findings).toMatchObject([{ rule: 'AUD-001', length: key.length, decoder: 'utf-8' }])
})

test('takes no number for a length that goes over the start of other texts', async () => {
  const code: Code = (from, to) =>
    Buffer.concat([pair(from, to, key.length), pair(from, to - 9, key.length + 20)])
  const { findings } = await auditFiles({ app: built('elf', 'x86-64', code, [before, key, behind]) })
  expect(findings).toMatchObject([{ rule: 'AUD-001', length: key.length, decoder: 'string-table' }])
  expect(findings).toHaveLength(1)
})
