import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { folderOf, key } from '../../audit/src/testing/audit-files.ts'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { writeFileWhole } from '../base/write-file.ts'
import type { pactVerifier } from '../contracts/pact-core.ts'
import type { Detection } from '../detect/detect.ts'
import { type AuditFormat, auditFormats } from '../reports/formats.ts'
import { hostileRun, hostileTexts, listActive } from '../reports/testing/hostile-texts.ts'
import { quoteLastLines } from '../run/provision/quote-output.ts'
import { audit } from './commands/audit.ts'
import { describeDetection } from './commands/detect.ts'
import { doctor } from './commands/doctor.ts'
import { describeForTest } from './embedded/test-statement.ts'
import { showAuditProgress } from './output/audit-progress.ts'
import { showRunProgress } from './output/run-progress.ts'
import { summaryText } from './output/summary.ts'
import { interaction, runVerify, startFixedProvider, writePactFile } from './testing/run-verify.ts'
import { openStreams } from './testing/streams.ts'
import { createWorkplace } from './testing/workplace.ts'

// Texts of services, pacts and file names on a console: a terminal and a CI system must not follow them.

const all = Object.values(hostileTexts).join('\n')
const texts = Object.entries({ ...hostileTexts, 'all of them': all })

describe('output of run', () => {
  test.each(texts)('%s in the summary', (_, text) => {
    const run = hostileRun(text)
    const harmless = summaryText(hostileRun('word'), { color: false, reportPath: 'report.html' })
    const summary = summaryText(run, { color: false, reportPath: 'report.html' })
    expect(listActive(summary)).toEqual([])
    expect(summary.split('\n')).toHaveLength(harmless.split('\n').length)
  })

  test.each(texts)('%s in the progress', (_, text) => {
    const { written, stderr } = openStreams()
    const progress = showRunProgress(stderr, () => 0)
    for (const result of hostileRun(text).checks) progress.onReport({ result, exchanges: [], secrets: [] })
    progress.onEnd()
    expect(listActive(written.stderr)).toEqual([])
    expect(written.stderr.split('\n')).toHaveLength(8)
  })

  test.each(texts)('%s in the output of a part that does not start', (_, text) => {
    expect(listActive(quoteLastLines(text, (clean) => clean))).toEqual([])
  })

  test.each(texts)('%s in a test of another runner', (_, text) => {
    for (const check of hostileRun(text).checks) expect(listActive(describeForTest(check).text)).toEqual([])
  })

  test('answers of the services', async () => {
    const headers = { 'content-type': 'text/plain', 'x-said': '##[error]owned ::error::owned' }
    const asJson = { 'content-type': 'application/json' }
    await using reference = await startReference({
      variant: {
        mint: {
          refuse: ({ status }) => ({ status, headers, body: all }),
          success: () => ({ status: 200, headers: asJson, body: JSON.stringify({ token: all }) }),
        },
      },
    })
    await using place = await createWorkplace(reference.written)
    for (const options of [[], ['--json']]) {
      const args = ['run', '--suite', 'mint', '--no-wait', '--keep-going', ...options]
      const { stdout, stderr, code } = await place.start(args).ended
      expect([1, 3]).toContain(code)
      expect(listActive(stdout + stderr)).toEqual([])
    }
  })
})

describe('output of audit', () => {
  /** Names that a file system takes. */
  const names = texts.map(
    ([what, text]) =>
      [what, text.replaceAll('/', '∕').replaceAll('\u0000', '').slice(0, 70).toWellFormed()] as const,
  )

  test.each(names)('%s as the name of a file', async (_, name) => {
    await using made = await folderOf({
      [`dist/${name}.js`]: `const k = "${key}"`,
      [`dist/${name}.gz`]: Buffer.from('1f8b08000000', 'hex'),
    })
    for (const format of Object.keys(auditFormats) as AuditFormat[]) {
      const { written, ...output } = openStreams()
      expect(await audit({ paths: ['dist'], format }, { directory: made.folder, ...output })).toBe(1)
      expect(listActive(written.stdout + written.stderr)).toEqual([])
    }
  })

  test.each(texts)('%s in the progress', (_, text) => {
    let now = 0
    let shown = ''
    const write = (said: string) => {
      shown += said
    }
    const progress = showAuditProgress({ isTTY: true, columns: 200, write }, () => now)
    now = 2000
    progress.read(text, { files: 1, bytes: 5_000_000, knownFiles: 2, knownBytes: 9_000_000 })
    expect(shown).toContain('5.0 of 9.0 MB')
    expect(listActive(shown)).toEqual([])
  })
})

test.each(texts)('verify prints %s of a pact', async (_, text) => {
  await using provider = await startFixedProvider(500)
  const stated = interaction({ description: text, providerStates: [{ name: text }] })
  const pact = await writePactFile([stated], 'mint', text)
  const core: typeof pactVerifier = async ({ pacts: [sent] }) => {
    const { description } = JSON.parse(JSON.stringify(sent)).interactions[0]
    const mismatch = { part: 'body', at: text, expected: text, actual: text, text } as const
    return [{ description, ok: false, mismatches: [mismatch], error: null }]
  }
  for (const json of [false, true]) {
    const options = { role: 'mint', url: provider.url, pact: [pact], json } as const
    const { stdout, stderr, sentence } = await runVerify(options, undefined, { core })
    expect(sentence).toBe('')
    expect(stdout).toContain('PACT')
    expect(listActive(stdout + stderr)).toEqual([])
  }
})

test.each(texts)('doctor prints %s of a service', async (_, text) => {
  await using service = await startFixedProvider(500, text)
  await using folder = await openTempFolder()
  const sessions = { alice: { token: 'session-of-alice', userId: 'u-1' } }
  const configuration = {
    name: text.replaceAll('${', () => '$${'),
    mint: { url: service.url, apiKey: key },
    backend: { url: `${service.url}/token`, sessions },
  }
  await writeFileWhole(join(folder.path, 'twotoken.yaml'), JSON.stringify(configuration))
  const { written, ...output } = openStreams()
  await doctor({}, { directory: folder.path, variables: {}, ...output })
  expect(written.stdout).toContain('mint')
  expect(listActive(written.stdout)).toEqual([])
})

test.each(texts)('detect prints %s of a service', (_, text) => {
  const profile = {
    carriage: { in: 'query', name: text },
    declaredUser: { in: 'none' },
    success: [{ frame: { path: '$.type', equals: text } }],
    failure: [],
    unauthorized: [],
    samples: {},
    timeoutMs: 8000,
    settleMs: 300,
  }
  const signaling = { found: { profile, letsDamagedIn: false } }
  const detection = { signaling, mints: 1 } as unknown as Detection
  const written = describeDetection(detection)
  expect(listActive(written)).toEqual([])
  // The text to copy into the configuration is the text that the service sends.
  expect(parse(written).signaling.profile.success[0].frame.equals).toBe(text)
})
