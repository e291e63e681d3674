import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Reference, startReference } from '../../fixtures/stack.ts'
import { verify } from '../cli/verify.ts'
import { pactProgram } from '../verify/core.ts'

const pacts = join(import.meta.dirname, '../../contracts/pacts')
const rounds = 7
const budgetMs = 5000
const budgetRatio = 1.5

/** Measures `twotoken verify` of both providers against the Pact verifier, called directly on the same files. */
async function benchVerify(): Promise<{ oursMs: number; directMs: number }> {
  await using reference = await startReference({ withoutDouble: true })
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-bench-'))
  try {
    await writeFile(join(folder, 'twotoken.yaml'), JSON.stringify(reference.written))
    const [ours, direct]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timed(() => verifiedByUs(folder)))
      direct.push(await timed(() => verifiedDirectly(reference)))
    }
    return { oursMs: median(ours), directMs: median(direct) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function verifiedByUs(directory: string): Promise<void> {
  const silent = { write: () => true }
  for (const role of ['mint', 'backend'] as const)
    await verify(
      { role, config: 'twotoken.yaml', strict: false, json: false },
      { directory, variables: {}, stdout: silent, stderr: silent, color: false },
    )
}

async function verifiedDirectly(reference: Reference): Promise<void> {
  const { keys } = reference.mint
  const { sessions } = reference.backend
  const values: Readonly<Record<string, object>> = {
    active: { apiKey: keys.active },
    unknown: { apiKey: 'ac_live_nobody' },
    'trial ended': { apiKey: keys.trialEnded },
    suspended: { apiKey: keys.suspended },
    'at its cap': { apiKey: keys.capped },
    live: { session: sessions.alice.token },
    expired: { session: sessions.expired.token },
  }
  const states = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(values[params.state] ?? {}))
  })
  await new Promise<void>((done) => states.listen(0, '127.0.0.1', done))
  const stateUrl = `http://127.0.0.1:${(states.address() as AddressInfo).port}/`
  const verifier = (file: string, url: string) =>
    new Promise<void>((done) => {
      const told = [
        'verifier',
        '--file',
        join(pacts, file),
        '--hostname',
        '127.0.0.1',
        '--state-change-teardown',
      ]
      const target = ['--port', new URL(url).port, '--state-change-url', stateUrl, '--loglevel', 'none']
      execFile(pactProgram(), [...told, ...target], { env: { PACT_DO_NOT_TRACK: 'true' } }, () => done())
    })
  await verifier('backend-token-mint.json', reference.mint.url)
  await verifier('app-backend.json', reference.backend.url)
  states.closeAllConnections()
  await new Promise((done) => states.close(done))
}

async function timed(run: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}

if (import.meta.main) {
  const { oursMs, directMs } = await benchVerify()
  const ratio = oursMs / directMs
  process.stdout.write(
    `verify, both providers: ${Math.round(oursMs)} ms; the Pact verifier directly: ${Math.round(directMs)} ms; ratio ${ratio.toFixed(2)}\n`,
  )
  if (oursMs > budgetMs || ratio > budgetRatio) {
    process.stderr.write(`expected at most ${budgetMs} ms and a ratio of at most ${budgetRatio}\n`)
    process.exitCode = 1
  }
}
