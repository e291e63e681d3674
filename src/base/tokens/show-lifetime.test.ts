import { expect, test } from 'vitest'
import { showLifetime } from './show-lifetime.ts'

test('shows seconds up to a day, then days, then years', () => {
  const shown = [900, 86_400, 100_000, 2_592_000, 1_800_000_000 * 1000].map(showLifetime)
  expect(shown).toEqual(['900 s', '86400 s', '1 day', '30 days', '57039 years'])
})
