import { expect, test } from 'vitest'
import { readRatePolicy } from './read-rate-policy.ts'

const wallMs = 1_800_000_000_000

test.each<[string, Record<string, string>, unknown]>([
  [
    'the sixth draft',
    { 'ratelimit-policy': '5;w=60', 'ratelimit-limit': '5', 'ratelimit-reset': '12' },
    [5, 60],
  ],
  [
    'the seventh draft',
    { 'ratelimit-policy': '5;w=60', ratelimit: 'limit=5, remaining=4, reset=60' },
    [5, 60],
  ],
  ['the eighth draft', { 'ratelimit-policy': '"5-in-1min"; q=5; w=60; pk=:YWJj:' }, [5, 60]],
  ['two limits', { 'ratelimit-policy': '100;w=60, 10;w=1' }, [100, 60]],
  ['a limit and its reset', { ratelimit: 'limit=5, remaining=4, reset=60' }, [5, 60]],
  ['a reset since 1970', { 'x-ratelimit-limit': '100', 'x-ratelimit-reset': '1800000900' }, [100, 900]],
  ['a limit without a time', { 'x-ratelimit-limit': '100' }, null],
  ['another text', { 'ratelimit-policy': 'fair', ratelimit: '' }, null],
  ['no limit', {}, null],
])('%s', (_, headers, expected) => {
  const policy = readRatePolicy(Object.entries(headers), wallMs)
  expect(policy && [policy.requests, policy.seconds]).toEqual(expected)
})
