import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { frameworks, frameworksOfPart, listPages, parseFixPage } from '../../src/reports/fix-pages.ts'
import { createBrowserSource } from '../../src/roles/client/page/browser.ts'
import {
  expectConformantBackend,
  expectConformantMint,
  expectConformantSignaling,
  othersIn,
} from './expect-conformant.ts'
import { judgeBackend } from './judge-backend.ts'
import { judgeClient } from './judge-client.ts'
import { judgeMint } from './judge-mint.ts'
import { judgeSignaling } from './judge-signaling.ts'
import { type Block, listIds, readSnippets } from './snippets.ts'

const folder = import.meta.dirname
const pages = (await readdir(folder)).filter((file) => file.endsWith('.md') && file !== 'README.md')
const readme = await readFile(join(folder, 'README.md'), 'utf8')
const snippets = await readSnippets()
const browsers = createBrowserSource({})
afterAll(() => browsers[Symbol.asyncDispose]())
const catalogue = new Set((await loadCatalogue()).map(({ id }) => id))

/** A mistake in the blocks of each part: the judges see it. */
const mistakes = [
  ['client', 'its default address alone', 'new WebSocket(signalingUrl,', 'new WebSocket(hostedSignaling,'],
  ['mint', 'answers that are kept by their key alone', 'repeatKey, userId, ttlSeconds])', 'repeatKey])'],
  [
    'signaling',
    'tokens that outlive their closed sockets',
    'if (claims === null || isEnded(claims))',
    'if (claims === null)',
  ],
  ['backend', 'tokens for other uses', "typ: 'at+jwt', audience: 'acme-api', ", ''],
] as const
const caughtBy = {
  client: { 'CLI-22': 'fail' },
  mint: { 'MINT-24': 'fail' },
  signaling: { 'SIG-35': 'warn' },
  backend: { 'BACK-23': 'fail' },
} as const

describe('the pages', () => {
  test('README.md lists each of them', () => {
    expect(listPages(readme).toSorted()).toEqual(pages.toSorted())
  })

  test.each(pages)('%s has one block for each framework, and requirements of the catalogue', async (page) => {
    const text = await readFile(join(folder, page), 'utf8')
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    const { part, ids, code } = parseFixPage(page, text)
    expect(headings).toEqual(frameworksOfPart[part].map((framework) => frameworks[framework].name))
    for (const block of Object.values(code)) expect(block.trim().split('\n').length).toBeGreaterThan(3)
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => !catalogue.has(id))).toEqual([])
    expect(readme).toContain(`(${page}): ${ids.join(', ')}\n`)
  })

  test('every requirement on a backend is on exactly one page', () => {
    const named = listIds(snippets.backend.express).filter((id) => id.startsWith('BACK-'))
    const known = [...catalogue].filter((id) => id.startsWith('BACK-'))
    expect(named.toSorted()).toEqual(known.toSorted())
  })
})

describe.concurrent('the blocks', () => {
  test('form a conformant backend with Express', () => expectConformantBackend('express'))
  test('form a conformant signaling service with ws', () => expectConformantSignaling('ws'))
  test('form a conformant mint with Express', () => expectConformantMint('express'))

  test('form a conformant client in a browser', async () => {
    const results = await judgeClient(snippets.client.browser, browsers)
    expect(results.map(({ id, verdict, reason }) => [id, reason ?? verdict])).toEqual([['CLI-22', 'pass']])
  })

  test.each(mistakes)('of %s do not conform with %s', async (part, _, from, to) => {
    const wrong = (all: readonly Block[]) =>
      all.map((block) => ({ ...block, code: block.code.replace(from, to) }))
    const ids = Object.keys(caughtBy[part])
    const judges = {
      client: () => judgeClient(wrong(snippets.client.browser), browsers),
      mint: () => judgeMint('express', wrong(snippets.mint.express)),
      signaling: () => judgeSignaling('ws', wrong(snippets.signaling.ws), ids),
      backend: async () => (await judgeBackend('express', wrong(snippets.backend.express), ids)).results,
    }
    expect(othersIn(await judges[part]())).toEqual(caughtBy[part])
  })
})
