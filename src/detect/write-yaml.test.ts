import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { insertSetting, renderFragment } from './write-yaml.ts'

const profile = { carriage: { in: 'cookie', name: 'token' }, success: [{ quietOpenMs: 2000 }] }
const setting = { part: 'signaling', key: 'profile', value: profile } as const

test('a setting is put into its block, and every other byte stays', () => {
  const before =
    '# ours\nmint:    # the mint\n  url: http://a   # base\nsignaling:\n    url: ws://b # there\nlimits: { bodyBytes: 2048 }\n'
  const after = insertSetting(before, setting)
  const added = after.split('\n').filter((line) => !before.split('\n').includes(line))
  expect(after.split('\n').filter((line) => !added.includes(line))).toEqual(before.split('\n'))
  expect(parse(after)).toEqual({ ...parse(before), signaling: { url: 'ws://b', profile } })
  expect(added[0]).toBe('    profile:')
})

test('a part that is not there is added at the end', () => {
  const after = insertSetting('name: x', { part: 'token', key: 'jwks', value: 'https://a/jwks' })
  expect(after).toBe('name: x\n\ntoken:\n  jwks: https://a/jwks\n')
})

test.each([
  ['a flow mapping', '# ours\nsignaling: { url: "ws://b" } # there\n'],
  ['JSON', '{"signaling": {"url": "ws://b"}}'],
  ['a value over several lines', '# ours\nsignaling:\n  url: >-\n    ws://b\n'],
  ['a profile that is there', '# ours\nsignaling:\n  url: ws://b\n  profile: { carriage: 1 }\n'],
])('in %s the value is right and the remarks stay', (_, before) => {
  const after = insertSetting(before, setting)
  expect(parse(after)).toEqual({ signaling: { url: 'ws://b', profile } })
  for (const [remark] of before.matchAll(/# \w+/g)) expect(after).toContain(remark)
})

test('a setting of the user stays as it is', () => {
  const before = 'mint:\n  url: http://a\n  minTtlSeconds: 30 # ours\n'
  expect(insertSetting(before, { part: 'mint', key: 'minTtlSeconds', value: 1 })).toBe(before)
})

test('nothing found is an empty fragment', () => {
  expect(renderFragment([])).toBe('')
  expect(parse(renderFragment([setting]))).toEqual({ signaling: { profile } })
})
