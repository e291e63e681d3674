import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/finding.ts'
import { auditFiles, auditInMemory, key } from '../testing/audit-files.ts'
import { buildElf } from '../testing/build-binary.ts'

const before = 'failed to prepare: '
const behind = 'objectTime___syscall_recvfromPermissionDeniedByTheUserrequestAnimationFrame'
const binary = (text: string) =>
  Buffer.concat([Buffer.from([1, 0, 2]), Buffer.from(text), Buffer.from([0, 7])])
const findingsIn = async (text: string) => (await auditFiles({ 'lib.bin': binary(text) })).findings

test.each([
  ['the usual length', key],
  ['the least length', 'ac_live_4QeZ81hWq0vTbK7m'],
  ['hexadecimal digits', 'ac_live_9f86d081884c7d659a2feaa0c55ad015'],
  ['letters alone', 'ac_live_CPmhwaKHHTFlzztGFptMNGpz'],
])('finds a key of %s in front of other strings, and says that its end is unknown', async (_, planted) => {
  for (const more of [0, 8, 20, 40, 75]) {
    const findings = await findingsIn(before + planted + behind.slice(0, more))
    expect(findings).toMatchObject([{ rule: 'AUD-001', level: 'error' }])
  }
  expect(await findingsIn(before + planted + behind.repeat(3))).toMatchObject([
    { rule: 'AUD-001', level: 'error', extent: 'uncertain' },
  ])
})

test.each([
  `ac_live_${behind}`,
  'ac_live_wallpaperServiceConnectionCallbackRegistrationFailedWithUnknownReason',
  'ac_live_room_participant_list_view_controller_delegate_did_change_selection_2',
  'ac_live_Session2ParticipantVideoQualityObserverWithDefaultImplementation',
])('takes no long name for a key: %s', async (name) => {
  expect((await findingsIn(before + name)).filter(({ level }) => level === 'error')).toEqual([])
})

test.each([
  ['another key', 'ac_live_4QeZ81hWq0vTbK7mYw2P'],
  ['a test key', 'ac_test_4QeZ81hWq0vTbK7mYw2P'],
  ['an address', 'https://example.com/settings'],
])('ends a key where %s begins, and says that its end is uncertain', async (_, next) => {
  for (const text of [key + next, Buffer.from(key + next).toString('hex')]) {
    const [first] = await findingsIn(before + text)
    expect(first).toMatchObject({ level: 'error', length: key.length, extent: 'uncertain' })
  }
})

test('takes the prefix alone for no key where a test key is behind it', async () => {
  const findings = await findingsIn('ac_live_ac_test_4QeZ81hWq0vTbK7mYw2P_live_caac')
  expect(findings).toMatchObject([{ rule: 'AUD-004', level: 'warning' }])
})

test('says that the end is uncertain where other strings of a program are around a key', async () => {
  const backwards = [...key].reverse().join('')
  for (const text of [`${before}Word${key}ac`, `${before}${backwards}objectTime`]) {
    const elf = buildElf([{ name: '.rodata', bytes: Buffer.from(`\0${text}\0`) }])
    const { findings } = await auditFiles({ 'liba.so': elf })
    expect(findings).toMatchObject([{ level: 'error', extent: 'uncertain' }])
  }
})

test('takes a constant that a program has twice, one directly behind the other, for no longer key', async () => {
  for (const next of [key, key.slice(8)])
    expect(await findingsIn(`${before}${key}${next}`)).toMatchObject([{ level: 'error', length: key.length }])
})

const little = (text: string) => Buffer.from(text, 'utf16le')
const big = (text: string) => little(text).swap16()
const u32 = (value: number) => Buffer.from([value, 0, 0, 0])
const around = Buffer.from([1, 255, 2, 254])

async function keysOfWide(...parts: readonly Buffer[]) {
  const { findings } = await auditInMemory({ location: 'a', name: 'a.bin', bytes: Buffer.concat(parts) })
  return findings.map(({ fingerprint, decoder }) => ({ fingerprint, decoder }))
}

// A character behind the text that a reading in the other order takes for its last letter.
const letterBehind = Buffer.from([0x34, 0x12])

test.each([
  ['little endian with a zero before it', 'utf-16le', [around, u32(0), little(key), letterBehind]],
  [
    'little endian behind its length',
    'utf-16le',
    [around, Buffer.from([9]), u32(key.length), little(key), letterBehind],
  ],
  ['little endian behind other text', 'utf-16le', [around, little(`key=${key}`), letterBehind]],
  [
    'little endian behind a length of one byte, before another one',
    'utf-16le',
    [around, Buffer.from([0x4e]), little(key), letterBehind],
  ],
  ['little endian between zeros', 'utf-16le', [around, u32(0), little(key), u32(0)]],
  ['big endian alone', 'utf-16be', [around, big(key), around]],
  ['big endian behind other text', 'utf-16be', [around, big(`key=${key}`), around]],
  ['big endian behind its length', 'utf-16be', [around, Buffer.from([7, 0, key.length]), big(key), around]],
])('reads %s once, and in its order', async (_, decoder, parts) => {
  expect(await keysOfWide(...parts)).toEqual([{ fingerprint: fingerprintOf(key), decoder }])
})
