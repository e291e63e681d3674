import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditFiles, key } from '../../../audit/src/testing/audit-files.ts'
import { buildZip } from '../../../audit/src/testing/build-archives.ts'
import {
  axeFindings,
  createPageOpener,
  desktop,
  type PageOpener,
  phone,
  pixelsBeyond,
  unfold,
} from '../testing/open-page.ts'
import { elementsOf, parseXml, textOf } from '../testing/parse-xml.ts'
import { ruleReasons } from './html/findings.ts'
import { renderAuditHtml, verdictOf } from './html.ts'

const other = `${key.slice(0, 8)}${[...key.slice(8)].reverse().join('')}`

const inner = buildZip([
  { name: 'conf.json', bytes: Buffer.from(JSON.stringify({ apiKey: other })) },
  { name: 'data.enc', bytes: Buffer.from('Salted__12345678abcdefgh') },
])
const chunks = Array.from({ length: 9 }, (_, index) => ({
  name: `assets/chunk-${index}.js`,
  bytes: Buffer.from(`const conf = { key: "${key}" }`),
}))
const leaking = await auditFiles({
  'app.apk': buildZip([
    ...chunks,
    { name: 'feature.zip', bytes: inner },
    { name: 'index.js', bytes: Buffer.from(`const legacy = "ac_" + ${JSON.stringify(key.slice(3))}`) },
    { name: 'names.txt', bytes: Buffer.from('ac_live_room_title') },
  ]),
})

const clean = await auditFiles({ 'a.js': 'let a = 1' })
const html = renderAuditHtml(leaking)
/** The page as a tree, without its style and script. */
const page = parseXml(html.replace(/<style>.*?<\/style>|<script .*?<\/script>|<!DOCTYPE html>/gs, ''))

test('the verdict is one sentence, for each way in which an audit can end', () => {
  const warnings = leaking.findings.map((finding) => ({ ...finding, level: 'warning' as const }))
  for (const [result, sentence] of [
    [leaking, /^2 server keys in what ships\.$/],
    [clean, /^No server key, no calling JWT and no call to the mint\.$/],
    [{ ...clean, gaps: leaking.gaps.slice(0, 1) }, /^No violation in what could be read, and 1 gap\.$/],
    [{ ...clean, findings: warnings }, /^No violation, and \d+ warnings to check\.$/],
    [{ ...clean, audited: [] }, /^Nothing was audited\.$/],
  ] as const)
    expect(verdictOf(result).sentence).toMatch(sentence)
})

test('a finding has its path, line and column, the secret, the rule, why, and what to change', () => {
  const [text] = elementsOf(page, 'article').map(textOf)
  expect(text).toContain('A server key ships in the bundle')
  expect(text).toContain(ruleReasons['AUD-001'])
  expect(text).toContain('Revoke this key')
  expect(text).toContain('dist/app.apk › assets/chunk-0.js line 1, column 22 · javascript, utf-8')
  expect(text).toContain('ac_live_… (39 characters)')
  expect(html).not.toContain(key.slice(8, 14))
  expect(html).not.toContain(other.slice(8, 14))
})

test('a secret is one item, with its places in a fold where they are many', () => {
  const [found] = elementsOf(page, 'ul').filter(({ attributes }) => attributes['class'] === 'found')
  expect(found?.children.length).toBe(2)
  expect(textOf(page)).toContain('4 more places')
})

test('paths have counts, and each gap has its place and a tool', () => {
  const lists = elementsOf(page, 'ul').filter(({ attributes }) => attributes['class'] === 'card contents')
  const text = lists.map(textOf).join()
  expect(text).toMatch(/^dist 13 files, \d+ bytes after decompression/)
  expect(text).toContain('dist/app.apk › feature.zip › data.enc: encrypted file AUD-090')
  expect(text).toContain('Tool: gpg -d')
})

test('shows an accepted finding apart', () => {
  const [finding] = leaking.findings
  if (finding === undefined) throw new Error('no finding')
  const accepted = [{ finding, reason: 'revoked on the 3rd', expires: '2027-01-31' }]
  const shown = renderAuditHtml({ ...clean, accepted })
  expect(shown).toContain('Accepted until 2027-01-31: revoked on the 3rd')
  expect(shown).toContain('no call to the mint')
  expect(html).not.toContain('Accepted by the baseline')
})

describe('in a browser', () => {
  let pages: PageOpener
  beforeAll(async () => {
    pages = await createPageOpener()
  })
  afterAll(() => pages[Symbol.asyncDispose]())

  test.each([
    ['a desktop in the light', desktop, 'light'],
    ['a phone in the dark', phone, 'dark'],
  ] as const)('axe finds nothing wrong on %s, and nothing is too wide', async (_, viewport, colorScheme) => {
    await using look = await pages.open(html, { viewport, colorScheme })
    await look.page.evaluate(unfold)
    expect(await axeFindings(look.page)).toEqual([])
    expect(await pixelsBeyond(look.page)).toBeLessThanOrEqual(0)
    expect(look.complaints).toEqual([])
  })

  test('without scripts and on paper, everything is there', async () => {
    await using look = await pages.open(html, { javaScriptEnabled: false })
    expect(await look.page.getByRole('searchbox').count()).toBe(0)
    await look.page.emulateMedia({ media: 'print' })
    expect(await look.page.getByText('assets/chunk-8.js').isVisible()).toBe(true)
  })
})
