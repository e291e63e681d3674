import { expect, test } from 'vitest'
import { auditFiles, key } from '../testing/audit-files.ts'

test('takes classes of CSS modules and names of hashed files for identifiers', async () => {
  const { findings } = await auditFiles({
    'app.css': `.ac_live_root__a8Fk2Q { background: url(/a/ac_live_badge.3f9a1c2b.png) }
      .ac_live_badge__label--active__3kZ9x { background: url("ac_live_badge-5d41402abc4b2a76b9719d911017c592.svg") }`,
    'app.js': `export const a = 'ac_live_stream_1080p60_h265_hdr10', b = 'ac_live_session_550e8400-e29b-41d4-a716-446655440000'
      export const c = "ac_live_20260117T093012Z", d = "ac_live_Player_liveBadge__2Jk9s"`,
    'ac_live_icon-DZ7kq0Pm.js': '',
  })
  expect(findings.map(({ rule, level }) => `${level} ${rule}`)).toEqual(Array(9).fill('note AUD-003'))
})

test.each([`${key}.png`, '{"image":"ac_live_7f3a91c04e2b86d5.png"}', `.${key} { color: red }`])(
  'still finds the key in %s',
  async (text) => {
    const { findings } = await auditFiles({ 'app.txt': text })
    expect(findings).toMatchObject([{ rule: 'AUD-001', level: 'error' }])
  },
)
