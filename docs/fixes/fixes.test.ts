import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { frameworks, frameworksOfPart, listPages, parseFixPage } from '../../src/reports/fix-pages.ts'
import type { CheckResult } from '../../src/requirement/run.ts'
import { createBrowserSource } from '../../src/roles/client/page/browser.ts'
import { bannedTurnsIn } from '../generator/banned-turns.ts'
import { findProse } from '../generator/prose.ts'
import { judgeBackend, notAllowed } from './judge-backend.ts'
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

/** Every verdict other than `pass`, by requirement. */
function othersIn(results: readonly CheckResult[]): Record<string, string> {
  return Object.fromEntries(
    results
      .filter(({ id, verdict }) => verdict !== 'pass' && !(verdict === 'not-applicable' && id === notAllowed))
      .map(({ id, verdict }) => [id, verdict]),
  )
}

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

  test.each(['README.md', ...pages])('%s contains no banned turn', async (page) => {
    const prose = findProse(await readFile(join(folder, page), 'utf8'))
    expect(prose.length).toBeGreaterThan(3)
    expect(prose.flatMap(bannedTurnsIn)).toEqual([])
  })

  test('a page that lacks a section is named', async () => {
    await using copy = await openTempFolder()
    const page = await readFile(join(folder, 'call-the-mint.md'), 'utf8')
    await writeFile(join(copy.path, 'README.md'), '1. [Call the mint](call-the-mint.md): BACK-06\n')
    await writeFile(join(copy.path, 'call-the-mint.md'), page.replace('## Rails', '## Sinatra'))
    await expect(readSnippets(copy.path)).rejects.toThrow('call-the-mint.md: expected one section "## Rails"')
  })
})

describe.concurrent('the blocks', () => {
  test.each(['express', 'fastify'] as const)('form a conformant backend with %s', async (framework) => {
    const { results, allowedOrigin } = await judgeBackend(framework, snippets.backend[framework])
    expect(results.map(({ id }) => id).toSorted()).toEqual(listIds(snippets.backend[framework]).toSorted())
    // It records which response formats of the mint are accepted, and judges none of them.
    expect(othersIn(results)).toEqual({ 'BACK-09': 'info' })
    expect(allowedOrigin).toBe('https://app.acme.example')
  })

  test.each(['ws', 'socket.io'] as const)(
    'form a conformant signaling service with %s',
    async (framework) => {
      const blocks = snippets.signaling[framework]
      const results = await judgeSignaling(framework, blocks)
      expect(results.map(({ id }) => id).toSorted()).toEqual(listIds(blocks).toSorted())
      expect(othersIn(results)).toEqual({})
      const observations = results.find(({ id }) => id === 'SIG-35')?.observations
      for (const ended of ['RevokedKey', 'SuspendedProject'])
        expect(observations?.[`signaling.socketOf${ended}`]).toMatch(/^closed with /)
    },
  )

  test.each(['express', 'fastify'] as const)('form a conformant mint with %s', async (framework) => {
    const results = await judgeMint(framework, snippets.mint[framework])
    expect(Object.fromEntries(results.map(({ id, verdict, reason }) => [id, reason ?? verdict]))).toEqual({
      'MINT-24': 'pass',
      'MINT-26': 'pass',
    })
  })

  test('form a conformant client in a browser', async () => {
    const results = await judgeClient(snippets.client.browser, browsers)
    expect(results.map(({ id, verdict, reason }) => [id, reason ?? verdict])).toEqual([['CLI-22', 'pass']])
  })

  test.each(clientMistakes())('are no conformant client with $does', async ({ changes }) => {
    const blocks = snippets.client.browser.map((block) => changed(block, changes))
    expect(othersIn(await judgeClient(blocks, browsers))).toEqual({ 'CLI-22': 'fail' })
  })

  test.each(mintMistakes())(
    'are no conformant mint in $framework with $does',
    async ({ framework, changes, caught }) => {
      const blocks = snippets.mint[framework].map((block) => changed(block, changes))
      expect(othersIn(await judgeMint(framework, blocks))).toEqual(caught)
    },
  )

  test.each(signalingMistakes())(
    'do not conform in $framework with $does',
    async ({ framework, changes, caught }) => {
      const blocks = snippets.signaling[framework].map((block) => {
        const own = Object.entries(changes).filter(([right]) => block.code.includes(right))
        return changed(block, Object.fromEntries(own))
      })
      const results = await judgeSignaling(framework, blocks, Object.keys(caught))
      expect(othersIn(results)).toEqual(caught)
    },
  )

  test.each(mistakes())('do not conform in Express with $does', async ({ page, changes, caught }) => {
    const { ids = [] } = snippets.backend.express.find((block) => block.page === page) ?? {}
    const blocks = snippets.backend.express.map((block) =>
      block.page === page ? changed(block, changes) : block,
    )
    const { results } = await judgeBackend('express', blocks, ids)
    expect(othersIn(results)).toEqual(caught)
  })
})

interface Mistake {
  readonly does: string
  readonly page: string
  readonly changes: Readonly<Record<string, string>>
  /** Requirements of the page that do not pass. */
  readonly caught: Readonly<Record<string, string>>
}

function changed(block: Block, changes: Mistake['changes']): Block {
  const code = Object.entries(changes).reduce((text, [right, wrong]) => {
    if (text.split(right).length !== 2) throw new Error(`${block.page}: expected "${right}" once`)
    return text.replace(right, wrong)
  }, block.code)
  return { ...block, code }
}

/** Lists the mistakes that the page on a client warns of. */
function clientMistakes() {
  return [
    {
      does: 'the address beside the token',
      changes: {
        'const { token } = await response.json()': 'const { token, url } = await response.json()',
        'return token\n}': 'return url === undefined ? [token] : [token, url]\n}',
        'const token = await getAuthToken()': 'const [token, address = signalingUrl] = await getAuthToken()',
        'new WebSocket(signalingUrl,': 'new WebSocket(address,',
      },
    },
    {
      does: 'its default alone',
      changes: { 'new WebSocket(signalingUrl,': 'new WebSocket(hostedSignaling,' },
    },
  ]
}

/** Lists the mistakes that the page on a mint warns of. */
function mintMistakes() {
  const all = [
    {
      does: 'answers that are kept by their key alone',
      changes: { 'repeatKey, userId, ttlSeconds])': 'repeatKey])' },
      caught: { 'MINT-24': 'fail' },
    },
    {
      does: 'one test token for all users',
      changes: { 'token: await issue(': "token: await issueOnce('tests', 'tester', 900, " },
      caught: { 'MINT-26': 'warn' },
    },
  ]
  return frameworksOfPart.mint.flatMap((framework) => all.map((mistake) => ({ framework, ...mistake })))
}

/** Lists the mistakes that the pages on signaling warn of. */
function signalingMistakes() {
  const staying = {
    does: 'tokens that outlive their closed sockets',
    changes: { 'if (claims === null || isEnded(claims))': 'if (claims === null)' },
    caught: { 'SIG-35': 'warn' },
  } as const
  const decoding = {
    'createRemoteJWKSet, jwtVerify': 'createRemoteJWKSet, decodeJwt',
    'await jwtVerify(token, mintKeys, strict).catch(() => null)':
      'await Promise.resolve(token).then(decodeJwt).then((payload) => ({ payload })).catch(() => null)',
  }
  return [
    { framework: 'ws', ...staying },
    {
      framework: 'socket.io',
      ...staying,
      changes: { ...staying.changes, '  if (isEnded(claims)) return own.close()\n': '' },
    },
    {
      framework: 'ws',
      does: 'tokens that are only decoded',
      changes: decoding,
      caught: { 'SIG-21': 'fail' },
    },
    {
      framework: 'socket.io',
      does: 'tokens that are only decoded',
      changes: decoding,
      caught: { 'SIG-21': 'fail' },
    },
    {
      framework: 'ws',
      does: 'messages that name their user',
      changes: {
        "const { type, to } = JSON.parse(bytes)\n    if (type !== 'call') return":
          "const { type, to, userId } = JSON.parse(bytes)\n    for (const own of socketsOf.get(user)) if (userId) own.send(JSON.stringify({ type: 'welcome', userId }))\n    if (type !== 'call') return",
      },
      caught: { 'SIG-36': 'fail' },
    },
    {
      framework: 'socket.io',
      does: 'clients without a token',
      changes: {
        'if (claims === null || isEnded(claims)) return next':
          'if (claims === null && socket.handshake.auth.token) return next',
        'socket.data.claims = claims': 'socket.data.claims = claims ?? {}',
        'socket.join(claims.sub)': "socket.join(claims?.sub ?? 'guest')",
      },
      caught: { 'SIG-03': 'fail' },
    },
  ] as const
}

/** Lists the mistakes that the pages warn of: one mistake in the block of each. */
function mistakes(): Mistake[] {
  return [
    {
      does: 'all headers in its log',
      page: 'keep-the-key-on-the-server.md',
      changes: { "req.get('user-agent')": 'req.headers' },
      caught: { 'FLOW-07': 'fail' },
    },
    {
      does: 'a reflected origin and plain http',
      page: 'allow-your-own-origin-only.md',
      changes: {
        '!req.secure': 'false',
        "if (req.get('origin') === appOrigin)": "if (req.get('origin'))",
        "'Access-Control-Allow-Origin': appOrigin,":
          "'Access-Control-Allow-Origin': req.get('origin'), 'Access-Control-Allow-Credentials': 'true',",
      },
      caught: { 'BACK-18': 'warn', 'BACK-19': 'warn' },
    },
    {
      does: 'sessions that are only decoded',
      page: 'validate-the-session.md',
      changes: {
        'import { jwtVerify }': 'import { decodeJwt }',
        'await jwtVerify(session, sessionKey, strict).catch(() => null)':
          'await Promise.resolve(session).then(decodeJwt).then((payload) => ({ payload })).catch(() => null)',
      },
      caught: { 'BACK-02': 'fail', 'BACK-03': 'fail', 'BACK-20': 'fail', 'BACK-23': 'fail' },
    },
    {
      does: 'tokens for other uses',
      page: 'validate-the-session.md',
      changes: { "typ: 'at+jwt', audience: 'acme-api', ": '' },
      caught: { 'BACK-23': 'fail' },
    },
    {
      does: 'the userId of the query',
      page: 'take-the-user-from-the-session.md',
      changes: {
        'const { sub } = res.locals.session': 'const sub = _req.query.userId ?? res.locals.session.sub',
      },
      caught: { 'BACK-04': 'fail' },
    },
    {
      does: 'an unverified certificate',
      page: 'limit-the-mint-call.md',
      changes: { 'const mintUrl': "env.NODE_TLS_REJECT_UNAUTHORIZED = '0'\nconst mintUrl" },
      caught: { 'BACK-16': 'fail' },
    },
    {
      does: 'a lifetime in milliseconds',
      page: 'call-the-mint.md',
      changes: { 'ttlSeconds: 900': 'ttlSeconds: 900_000' },
      caught: { 'BACK-06': 'warn', 'BACK-14': 'warn' },
    },
    {
      does: 'a success where minting fails',
      page: 'answer-when-minting-fails.md',
      changes: { 'res.status(502)': 'res.status(200)' },
      caught: { 'BACK-07': 'fail', 'BACK-09': 'info' },
    },
    {
      does: 'a token that caches may keep',
      page: 'mint-for-every-request.md',
      changes: { 'no-store': 'max-age=60' },
      caught: { 'BACK-12': 'warn' },
    },
  ]
}
