import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunResults, resultsOf } from '../results.ts'
import { frozenRun } from '../testing/frozen-run.ts'
import { leakingRun } from '../testing/leaking-run.ts'
import {
  axeFindings,
  createPageOpener,
  desktop,
  type Look,
  type PageOpener,
  phone,
  pixelsBeyond,
  unfold,
} from '../testing/open-page.ts'
import { renderHtml } from './html.ts'

/** Largest size for the report of a run of 5,000 exchanges, so that it can be mailed and kept. */
const mostBytes = 3_000_000

let pages: PageOpener
beforeAll(async () => {
  pages = await createPageOpener()
})
afterAll(() => pages[Symbol.asyncDispose]())

const opened = (run: RunResults, look: Look = {}) => pages.open(renderHtml(run), look)

test.each([
  ['on a desktop in the light', desktop, 'light'],
  ['on a desktop in the dark', desktop, 'dark'],
  ['on a phone in the light', phone, 'light'],
  ['on a phone in the dark', phone, 'dark'],
] as const)('axe finds nothing wrong %s, and nothing is too wide', async (_, viewport, colorScheme) => {
  for (const run of [frozenRun, leakingRun]) {
    await using look = await opened(run, { viewport, colorScheme })
    await look.page.evaluate(unfold)
    if (run === frozenRun) {
      await look.page.locator('#browser').scrollIntoViewIfNeeded()
      await look.page.getByText('4 of 4 match').waitFor()
    }
    expect(await axeFindings(look.page)).toEqual([])
    expect(await pixelsBeyond(look.page)).toBeLessThanOrEqual(0)
    expect(look.complaints).toEqual([])
  }
})

test('a keyboard reaches a requirement and opens its evidence', async () => {
  await using look = await opened(frozenRun, { viewport: desktop })
  const { page } = look
  await page.getByRole('link', { name: 'MINT-04 fail' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#r-MINT-04:target').waitFor()
  const message = page.locator('#r-MINT-04 pre').first()
  expect(await message.isVisible()).toBe(true)
  await page.locator('#r-MINT-04 summary').first().focus()
  await page.keyboard.press('Enter')
  await message.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await message.waitFor()
})

const keepsCopies = `
  const copies = []
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copies.push(text) } } })
  globalThis.copies = copies`

test('a request is copied for a shell, in which what is hidden is a variable, and so is the command', async () => {
  const [first, ...rest] = frozenRun.exchanges
  if (first?.kind !== 'http') throw new Error('the first exchange of the frozen run is no request')
  const request = { ...first.request, body: `{"userId":"o'hara"}` }
  await using look = await opened({ ...frozenRun, exchanges: [{ ...first, request }, ...rest] })
  const { page, complaints } = look
  await page.evaluate(keepsCopies)
  await page.locator('#r-MINT-04').getByRole('button', { name: 'Copy curl' }).first().click()
  await page.locator('#r-MINT-04').getByRole('button', { name: 'Copy command' }).click()
  await page.locator('#r-MINT-04').getByRole('button', { name: 'Copied' }).nth(1).waitFor()
  expect(await page.evaluate('copies')).toEqual([
    `curl -i -X POST 'http://127.0.0.1:9400/api/v1/calling/token' -H 'content-type: application/json' -H 'authorization: Bearer '"$API_KEY" --data-raw '{"userId":"o'\\''hara"}'`,
    expect.stringMatching(/^npx twotoken run --only MINT-04 /),
  ])
  expect(complaints).toEqual([])
})

test('requirements are chosen by suite, verdict and text', async () => {
  await using look = await opened(frozenRun)
  const { page, complaints } = look
  const shown = async () => [...new Set(await page.locator('article:visible h3 .id').allTextContents())]
  const all = await shown()
  expect(all).toEqual(['MINT-04', 'BACK-08', 'BACK-01', 'BACK-14', 'SIG-08'])
  await page.getByRole('combobox', { name: 'Suite' }).selectOption('backend')
  expect(await shown()).toEqual(['BACK-08', 'BACK-01', 'BACK-14'])
  expect(await page.getByRole('link', { name: 'MINT-04 fail' }).isVisible()).toBe(false)
  await page.getByText('3 of 11 requirements').waitFor()
  await page.getByRole('combobox', { name: 'Verdict' }).selectOption('fail')
  expect(await shown()).toEqual(['BACK-08'])
  expect(await page.locator('#not-judged').isVisible()).toBe(false)
  await page.getByRole('combobox', { name: 'Suite' }).selectOption('')
  await page.getByRole('searchbox', { name: 'Text' }).fill('without an api key')
  expect(await shown()).toEqual(['MINT-04'])
  await page.getByRole('searchbox', { name: 'Text' }).fill('')
  await page.getByRole('combobox', { name: 'Verdict' }).selectOption('')
  expect(await shown()).toEqual(all)
  expect(complaints).toEqual([])
})

test('the page is whole without scripts', async () => {
  await using look = await opened(frozenRun, { javaScriptEnabled: false })
  expect(await look.page.getByText('see results.json').isVisible()).toBe(true)
  expect(await look.page.getByRole('searchbox').count()).toBe(0)
  expect(await look.page.locator('#r-MINT-04 pre').first().isVisible()).toBe(true)
})

/** The frozen run again and again, until there are 200 requirements that rest on 25 exchanges each. */
function manyExchanges(): RunResults {
  const repeat = <One>(known: readonly One[], times: number) =>
    Array.from({ length: times }, (_, index) => known[index % known.length] as One)
  const checks = repeat(frozenRun.checks, 200).map((check, index) => {
    const evidence = Array.from({ length: 25 }, (_, place) => `x${index * 25 + place + 1}`)
    const finding = { level: check.level, verdict: check.verdict, message: 'saw this', evidence }
    return { ...check, id: `${check.role}-${index + 100}`, findings: [finding] }
  })
  return resultsOf({
    ...{ target: 'a large run', startedAt: new Date(0), durationMs: 60_000, seed: 1, interrupted: false },
    checks,
    exchanges: repeat(frozenRun.exchanges, 5000).map((one, index) => ({
      ...one,
      id: `x${index + 1}`,
      at: index * 10,
    })),
  })
}

test('a run of 5,000 exchanges shows the evidence that is asked for', async () => {
  const run = manyExchanges()
  expect(Buffer.byteLength(renderHtml(run))).toBeLessThan(mostBytes)
  await using look = await opened(run)
  const { page, complaints } = look
  await page.locator('article .more summary').first().click()
  await expect.poll(() => page.locator('article .more').first().locator('.exchange').count()).toBe(22)
  expect(complaints).toEqual([])
})
