import { expect, test } from 'vitest'
import { createRandom } from '../testing/fuzz.ts'
import { isPlaceholder, shapeOf } from './key-shape.ts'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const alphabets = {
  hexadecimal: `${digits}abcdef`,
  'capital hexadecimal': `${digits}ABCDEF`,
  'small letters and digits': `${digits}${lower}`,
  'letters and digits': `${digits}${lower}${lower.toUpperCase()}`,
  'letters alone': `${lower}${lower.toUpperCase()}`,
  base64url: `${digits}${lower}${lower.toUpperCase()}_-`,
  'groups with underscores': `${digits}${lower}_`,
  base32: `${lower.toUpperCase()}234567`,
}

const randomKeys = (alphabet: string, length: number, count: number, random = createRandom(20_261_121)) =>
  Array.from({ length: count }, () =>
    Array.from({ length }, () => alphabet[random(alphabet.length)]).join(''),
  )

/** The most warnings and mere notes in 3,000 random keys of 16, 20, 24, 32 and 40 characters. */
test.each([
  ['small letters', lower, [120, 45, 20, 4, 2], [6, 3, 2, 1, 0]],
  ['capitals', lower.toUpperCase(), [120, 45, 20, 4, 2], [6, 3, 2, 1, 0]],
  ['base32 in small letters', `${lower}234567`, [10, 2, 0, 0, 0], [1, 0, 0, 0, 0]],
  ['base32', alphabets.base32, [10, 2, 0, 0, 0], [1, 0, 0, 0, 0]],
  ['hexadecimal', alphabets.hexadecimal, [10, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
  ['letters alone', alphabets['letters alone'], [8, 4, 2, 0, 0], [3, 2, 1, 0, 0]],
  ['letters and digits', alphabets['letters and digits'], [3, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
  ['small letters and digits', alphabets['small letters and digits'], [9, 9, 9, 9, 9], [0, 0, 0, 0, 0]],
  ['base64url', alphabets.base64url, [9, 9, 9, 9, 9], [0, 0, 0, 0, 0]],
  ['groups with underscores', alphabets['groups with underscores'], [400, 9, 9, 9, 9], [100, 9, 9, 9, 9]],
])('takes hardly a random key of %s for words', (_, alphabet, warnings, notes) => {
  const random = createRandom(20_261_121)
  for (const [index, length] of [16, 20, 24, 32, 40].entries()) {
    const shapes = randomKeys(alphabet, length, 3000, random).map((key) => shapeOf(key))
    expect(shapes.filter((shape) => shape === 'weak').length).toBeLessThanOrEqual(warnings[index] ?? 0)
    expect(shapes.filter((shape) => shape === 'identifier').length).toBeLessThanOrEqual(notes[index] ?? 0)
  }
})

test.each(['DjececpbohiLC383PYocdNuq', 'pdup2lFkorOachaybsyMmus3', 'badge_9fK2mPq7Rt4Vw8Xy'])(
  'believes %s, however it looks',
  (key) => {
    expect(shapeOf(key)).toBe('strong')
  },
)

test.each([
  'room_player_title',
  'your_api_key_here',
  'ecranDeParametresUtilisateur',
  'roomParticipantListViewController2',
  'video_call_v2_background_dark',
  'event2024SummerFestivalStage',
  'Sha256DigestOfTheRoomAvatar',
  'Zimmeruebersicht2Teilnehmerliste',
  'x264_x265_vp8_vp9_av1_codec',
  'roomplayertitlebackground',
  'ROOMPLAYERTITLEBACKGROUND',
  'BigIntConstructor',
  'emitHardwareBackPressed',
  'CGAffineTransformMakeScale',
  'missingwebviewpackageexception',
  'bildschirmfreigabeberechtigung',
  'xxxxxxxxxxxxxxxxxxxxxxxx',
  'placeholder1234567890',
  'root__a8Fk2Q',
  '_root_1a2b3_12',
  'logo-BqX2k9_s',
  'badge-3f9a1c2b',
  'layout_w320dp_h640dp_land',
  'room2player3title4',
  'x86_64_arm64_v8a_armeabi_v7a',
  'session_550E8400-E29B-41D4-A716-446655440000',
  '2026-01-17T09-30-12',
  '20260117093012345',
  'snapshot-1763898000123',
  'recording_2026-01-17T093012Z_part2',
  '0123456789abcdef',
  'qwertyuiopasdfgh',
  'abcd1234abcd1234',
  '0123456789abcdef0123456789abcdef',
  'a1b2c3d4e5f6g7h8',
])('takes %s for an identifier or a placeholder', (suffix) => {
  expect(shapeOf(suffix)).toBe('identifier')
})

test.each([alphabets['letters and digits'], alphabets['small letters and digits'], alphabets.base64url])(
  'takes no random key of %s for a placeholder',
  (alphabet) => {
    for (const length of [20, 24, 32, 48])
      expect(randomKeys(alphabet, length, 10_000).filter(isPlaceholder)).toEqual([])
  },
)

test('believes a number from twenty digits on, and the length that it is told', () => {
  expect(shapeOf('48105930271846502937')).toBe('strong')
  expect(shapeOf('70260117093012345')).toBe('weak')
  expect(shapeOf('550e8400-e29b-41d4-a716-446655440000')).toBe('weak')
  expect(shapeOf('9fK2mPq7Rt')).toBe('weak')
  expect(shapeOf('9fK2mPq7Rt', 10)).toBe('strong')
  expect(shapeOf('9fK2mPq7Rt4V', 12)).toBe('strong')
  expect(shapeOf('9fK2mPq7Rt4Vw8Xy', 24)).toBe('weak')
})
