import { expect, test } from 'vitest'
import { shapeOf } from './key-shape.ts'

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

function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test.each(Object.entries(alphabets))('believes random keys of %s', (_, alphabet) => {
  const random = createRandom(20_261_121)
  const strong = (length: number) => {
    const keys = Array.from({ length: 500 }, () =>
      Array.from({ length }, () => alphabet[random(alphabet.length)]).join(''),
    )
    return keys.filter((key) => shapeOf(key) === 'strong').length / keys.length
  }
  expect(strong(16)).toBeGreaterThan(0.9)
  for (const length of [24, 32, 48, 64]) expect(strong(length)).toBeGreaterThan(0.99)
})

test.each(['hexadecimal', 'letters and digits', 'base64url'] as const)(
  'misses no random key of %s',
  (name) => {
    const random = createRandom(1_121_2026)
    const alphabet = alphabets[name]
    const missed = (length: number, count: number) => {
      const keys = Array.from({ length: count }, () =>
        Array.from({ length }, () => alphabet[random(alphabet.length)]).join(''),
      )
      return keys.filter((key) => shapeOf(key) !== 'strong')
    }
    expect(missed(16, 10_000).length).toBeLessThanOrEqual(10)
    for (const length of [20, 22, 24, 32, 43, 64]) expect(missed(length, 5000)).toEqual([])
  },
)

/** The most warnings and mere notes in 3,000 random keys, for lengths of 16, 20, 24, 32 and 40. */
const mistaken: Record<string, readonly (readonly [warnings: number, notes: number])[]> = {
  'small letters': [
    [120, 6],
    [45, 3],
    [20, 2],
    [4, 1],
    [2, 0],
  ],
  capitals: [
    [120, 6],
    [45, 3],
    [20, 2],
    [4, 1],
    [2, 0],
  ],
  'base32 in small letters': [
    [10, 1],
    [2, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  base32: [
    [10, 1],
    [2, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  hexadecimal: [
    [10, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
  'letters alone': [
    [8, 3],
    [4, 2],
    [2, 1],
    [0, 0],
    [0, 0],
  ],
  'letters and digits': [
    [3, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ],
}

test.each(Object.entries(mistaken))('takes hardly a random key of %s for words', (name, bounds) => {
  const random = createRandom(20_261_121)
  const alphabet =
    {
      ...alphabets,
      'small letters': lower,
      capitals: lower.toUpperCase(),
      'base32 in small letters': `${lower}234567`,
    }[name] ?? ''
  for (const [index, length] of [16, 20, 24, 32, 40].entries()) {
    const counts = { strong: 0, weak: 0, identifier: 0, bare: 0 }
    for (let count = 0; count < 3000; count++)
      counts[shapeOf(Array.from({ length }, () => alphabet[random(alphabet.length)]).join(''))] += 1
    const [warnings, notes] = bounds[index] ?? [0, 0]
    expect(counts.weak).toBeLessThanOrEqual(warnings)
    expect(counts.identifier).toBeLessThanOrEqual(notes)
  }
})

test.each(['DjececpbohiLC383PYocdNuq', 'pdup2lFkorOachaybsyMmus3'])(
  'believes %s, which almost reads',
  (key) => {
    expect(shapeOf(key)).toBe('strong')
  },
)

test.each([
  'room_player_title',
  'roomPlayerTitleView',
  'your_api_key_here',
  'EXAMPLEKEYEXAMPLE',
  'ecranDeParametresUtilisateur',
  'roomParticipantListViewController2',
  'ic_launcher_foreground_24dp',
  'video_call_v2_background_dark',
  'event2024SummerFestivalStage',
  'Sha256DigestOfTheRoomAvatar',
  'HTTP2StreamPrioritizationEnabled',
  'Zimmeruebersicht2Teilnehmerliste',
  'qualitaetseinstellungsdialogfragment',
  'x264_x265_vp8_vp9_av1_codec',
  'YOUR_API_KEY',
  'streaming_enabled_default',
  'roomplayertitlebackground',
  'ROOMPLAYERTITLEBACKGROUND',
  'isValidFourPartDecimal',
  'BigIntConstructor',
  'isUnaryExpression',
  'emitHardwareBackPressed',
  'maybePostFromNonUI',
  'createJSExecutor',
  'CGAffineTransformMakeScale',
  'missingwebviewpackageexception',
  'bildschirmfreigabeberechtigung',
  'parametresdelappelvideo',
  'xxxxxxxxxxxxxxxxxxxxxxxx',
  'placeholder1234567890',
  'root__a8Fk2Q',
  'badge__label--active__3kZ9x',
  'Badge_root__x7Yq2',
  '_root_1a2b3_12',
  'logo-BqX2k9_s',
  'badge-3f9a1c2b',
  'stream_1080p60_h265_hdr10',
  'stage_640x480_30fps_opus48k',
  'codec_h264_aac_lc_48khz_2ch',
  'layout_w320dp_h640dp_land',
  'plan_pro_2024q4_eu_west_1',
  'room2player3title4',
  'x86_64_arm64_v8a_armeabi_v7a',
  'session_550E8400-E29B-41D4-A716-446655440000',
  '20260117T093012Z',
  '2026-01-17T09-30-12',
  '20260117093012345',
  '1763898000123',
  'snapshot-1763898000123',
  'recording_2026-01-17T093012Z_part2',
])('takes %s for an identifier', (suffix) => {
  expect(shapeOf(suffix)).toBe('identifier')
})

test.each(['1234567890abcdef', '0123456789abcdef0123456789abcdef', 'badge_9fK2mPq7Rt4Vw8Xy'])(
  'believes %s, however it looks',
  (suffix) => {
    expect(shapeOf(suffix)).toBe('strong')
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
