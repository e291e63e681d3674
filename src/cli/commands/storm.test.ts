import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { listening } from '../../../fixtures/faults/http.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { cacheTokens } from '../../../suites/mint/lib/variant-cache.ts'
import { version } from '../../base/version.ts'
import { frozenText } from '../../reports/testing/frozen-run.ts'
import { createWorkplace, type Workplace } from '../testing/workplace.ts'

/** Does what the command needs of `artillery run`: Artillery itself is 430 MB. */
const standIn = `
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
const script = process.argv.at(-1)
const { config, scenarios } = JSON.parse(readFileSync(script, 'utf8'))
const processor = await import(pathToFileURL(join(dirname(script), config.processor)).href)
const user = processor[scenarios[0].flow[0].function]
const [{ arrivalCount }] = config.phases
if (process.env.ARTILLERY_DISABLE_TELEMETRY !== 'true') throw new Error('telemetry')
await Promise.all(Array.from({ length: arrivalCount }, () => user({ vars: { plan: config.variables.plan[0] } })))
process.exit(0)
`

async function installStandIn({ folder }: Workplace, program = standIn): Promise<void> {
  const bin = join(folder, 'node_modules/artillery/bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, '../package.json'), '{"name":"artillery","version":"2.0.34","type":"module"}')
  await writeFile(join(bin, 'run'), program)
}

/** As a machine states it that found no service behind its load. */
const idleMint = {
  level: 'MUST',
  verdict: 'fail',
  message: 'no service from the mint',
  seen: 'no service from the mint',
  expected: 'the usual service',
  advice: 'Bound queues.',
  case: 'the mint',
  evidence: [],
}

const root = join(import.meta.dirname, '../../..')
const main = join(import.meta.dirname, '../main.ts')
const brief = ['--users', '40', '--seconds', '3', '--think', '0.2']
const config = ['--config', 'twotoken.yaml']

test('puts the embedded reference under load, and accuses it of nothing', async () => {
  await using workplace = await createWorkplace('')
  await installStandIn(workplace)
  await rm(join(workplace.folder, 'twotoken.yaml'))
  const { code, stdout, stderr } = await workplace.start(['storm', ...brief]).ended
  expect(stderr).toContain('40 users for 3 s, profile steady')
  expect(stdout).toMatch(/joinsPerSecond +[1-9]/)
  expect(stdout).toContain('reference is conformant')
  expect(code).toBe(0)
  const results = await workplace.results()
  expect(results.summary).toMatchObject({ pass: 6 })
  expect(results.observations).toMatchObject({ 'load.users': 40 })

  await workplace.write('other.json', await workplace.read('storm.json'))
  const parts = ['storm', '--parts', 'twotoken-results/storm.json', 'other.json', '--out', 'all']
  const merged = await workplace.start(parts).ended
  expect(merged.stdout).toMatch(/users +80/)
  expect(merged.code).toBe(0)
  // No results beside it say what was seen behind the load.
  expect((await workplace.start(['storm', '--parts', 'other.json', '--out', 'all']).ended).code).toBe(3)
})

test('a backend at its cap is judged with the mint double answering 429', async () => {
  await using reference = await startReference()
  await using workplace = await createWorkplace(reference.written)
  await installStandIn(workplace)
  const { code, stdout } = await workplace.start(['storm', ...config, ...brief, '--profile', 'cap']).ended
  expect(stdout).toContain('route 502')
  expect(stdout).toContain('capped calls')
  // Nobody was served meanwhile: what needs a token stays untested.
  expect(code).toBe(3)
})

test('exits with 1 for a mint whose tokens get mixed up under load', async () => {
  // Requests of one turn of the event loop share a variable; users alone get their own token.
  let turn = 0
  const sharedInTurn = () => {
    setImmediate(() => {
      turn += 1
    })
    return String(turn)
  }
  const variant = { mint: cacheTokens(sharedInTurn) }
  await using reference = await startReference({ variant, withoutDouble: true })
  await using workplace = await createWorkplace(reference.written)
  await installStandIn(workplace)
  const { code, stdout } = await workplace.start([
    'storm',
    ...config,
    '--users',
    '150',
    '--seconds',
    '3',
    '--think',
    '0.2',
  ]).ended
  expect(stdout).toContain('LOAD-01')
  // The first to meet one may also be a user of the route.
  expect(stdout).toMatch(/a token of another user from the (?:mint|token route)/)
  expect(code).toBe(1)
})

test('names a mint that mixes users up without load, before Artillery starts', async () => {
  const variant = { mint: cacheTokens(() => 'all') }
  await using reference = await startReference({ variant, withoutDouble: true })
  await using workplace = await createWorkplace(reference.written)
  await installStandIn(workplace)
  const { code, stderr } = await workplace.start(['storm', ...config, ...brief]).ended
  expect(stderr).toContain(
    'a token of another user from the mint without any load, which twotoken run judges',
  )
  expect(code).toBe(2)
})

test('two machines share users and sessions, and no session is used on both', async () => {
  const used = new Set<string>()
  const jwt = ['{"alg":"HS256"}', '{"sub":"u-1"}', 'no signature'].map((part) =>
    Buffer.from(part).toString('base64url'),
  )
  const server = createServer((request, response) => {
    const session = /^Bearer (s-\d)$/.exec(request.headers.authorization ?? '')?.[1]
    if (session !== undefined) used.add(session)
    response.writeHead(session === undefined ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(session === undefined ? {} : { token: jwt.join('.') }))
  })
  const port = await listening(server)
  await using _ = {
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  const sessions = Array.from({ length: 6 }, (_, place) => ({ userId: `u-${place}`, token: `s-${place}` }))
  await using workplace = await createWorkplace({
    backend: { url: `http://127.0.0.1:${port}/token`, sessions: { alice: sessions[0] } },
    load: { sessions: 'sessions.json' },
  })
  await workplace.write('sessions.json', JSON.stringify(sessions.slice(1)))
  await installStandIn(workplace)
  const usedBy: string[][] = []
  for (const shard of ['1/2', '2/2']) {
    used.clear()
    await workplace.start([
      'storm',
      ...config,
      ...brief,
      '--users',
      '13',
      '--shard',
      shard,
      '--out',
      shard[0] ?? '',
    ]).ended
    usedBy.push([...used].toSorted())
  }
  // The first session is what each machine looks at before the load.
  expect(usedBy).toEqual([
    ['s-0', 's-2', 's-4'],
    ['s-0', 's-1', 's-3', 's-5'],
  ])
  const merged = await workplace.start(['storm', '--parts', '1/storm.json', '2/storm.json', '--out', 'all'])
    .ended
  expect(merged.stdout).toMatch(/users +13\b/)
})

test('the pods of the Kubernetes example have each their share, and their figures are judged as one', async () => {
  const { spec } = parse(await readFile(join(root, 'docs/ci/kubernetes-storm.yaml'), 'utf8'))
  const [{ args }] = spec.template.spec.containers
  const [command = ''] = args
  expect(command).toContain(`--package twotoken@${version} --package artillery@2.0.34 -- twotoken storm`)
  // Two pods, a small load and this checkout: how many there are is the example's choice.
  const own = command
    .replaceAll('"/results/', '"results/')
    .replace('/config/', '')
    .replace(/--users \d+ --seconds \d+/, brief.join(' '))
    .replace('))/4"', '))/2"')
  await using reference = await startReference({ withoutDouble: true })
  await using workplace = await createWorkplace(reference.written)
  await installStandIn(workplace)
  const npx = `npx() { while [ "$1" != -- ]; do shift; done; shift 2; "${process.execPath}" "${main}" "$@"; }`
  for (const index of [0, 1])
    await promisify(execFile)('sh', ['-e', '-c', `${npx}\n${own}`], {
      cwd: workplace.folder,
      env: { ...env, JOB_COMPLETION_INDEX: String(index) },
    })
  const merged = await workplace.start(['merge', 'results', '--out', 'all']).ended
  expect(merged.stdout).toMatch(/users +40\b/)
  const read = async (name: string) => JSON.parse(await readFile(join(workplace.folder, name), 'utf8'))
  const verdictBehind = async (out: string): Promise<string> =>
    (await read(`${out}/results.json`)).checks.find(({ id }: { readonly id: string }) => id === 'LOAD-06')
      .verdict
  expect(await verdictBehind('all')).toBe('pass')
  // The first pod asked while the second might have gone on.
  for (const [index, verdict] of [
    [0, 'pass'],
    [1, 'fail'],
  ] as const) {
    const results = await read(`results/${index}/results.json`)
    const checks = results.checks.map((check: { readonly id: string }) =>
      check.id === 'LOAD-06' ? { ...check, verdict: 'fail', findings: [idleMint] } : check,
    )
    const summary = { ...results.summary, pass: results.summary.pass - 1, fail: 1 }
    const failed = { ...results, checks, summary, outcome: 'nonconformant', digest: undefined }
    await workplace.write(`results/${index}/results.json`, JSON.stringify(failed))
    await workplace.start(['merge', 'results', '--out', 'all']).ended
    expect(await verdictBehind('all')).toBe(verdict)
  }
  await workplace.write('results/run.json', frozenText)
  const mixed = await workplace.start(['merge', 'results/0', 'results/run.json']).ended
  expect(mixed.stderr).toMatch(
    /results\.json is of a storm, and .*run\.json of a run: merge storms and runs apart/,
  )
})

test('writes a script for other machines, and the processor beside it', async () => {
  await using workplace = await createWorkplace('')
  const { code, stdout } = await workplace.start(['storm', '--profile', 'expiry', '--export', 'storm.json'])
    .ended
  expect(code).toBe(0)
  expect(stdout).toContain('npx artillery run storm.json')
  const script = JSON.parse(await readFile(join(workplace.folder, 'storm.json'), 'utf8'))
  expect(script).toMatchObject({
    config: { phases: [{ duration: 1, arrivalCount: 100 }], processor: './twotoken-storm.mjs' },
    scenarios: [{ flow: [{ function: 'stormUser' }] }],
  })
  expect(await readFile(join(workplace.folder, 'twotoken-storm.mjs'), 'utf8')).toBe(
    "export { stormUser } from 'twotoken/artillery'\n",
  )
})

test('ends at once when it is interrupted', async () => {
  await using reference = await startReference({ withoutDouble: true })
  await using workplace = await createWorkplace(reference.written)
  await installStandIn(workplace)
  const running = workplace.start(['storm', ...config, '--users', '20', '--seconds', '600', '--think', '0.2'])
  await running.says('20 users for 600 s')
  running.process.kill('SIGINT')
  expect((await running.ended).code).toBe(130)
})

const mistakes: readonly (readonly [string, object, readonly string[], string])[] = [
  ['an unknown profile', {}, ['--profile', 'calm'], 'steady, expiry, restart, cap'],
  ['no user', {}, ['--users', '0'], '--users 0 puts no load on anything: expected 1 or more'],
  [
    'a storm that is too short',
    {},
    ['--users', '900', '--seconds', '9'],
    '--seconds 9 is too short: 900 users arrive within 9 s',
  ],
  [
    'another host',
    { mint: { url: 'https://mint.example', apiKey: `ac_live_${'k'.repeat(40)}` } },
    [],
    'mint.url names mint.example: add it to load.hosts',
  ],
  [
    'too many users',
    { mint: { url: 'http://127.0.0.1:9', apiKey: `ac_live_${'k'.repeat(40)}` }, load: { maxUsers: 50 } },
    [],
    '--users 100 is above load.maxUsers (50): raise it in the configuration',
  ],
  [
    'a dead mint',
    { mint: { url: 'http://127.0.0.1:9', apiKey: `ac_live_${'k'.repeat(40)}` } },
    [],
    'the storm did not start: the mint serves no user now; twotoken doctor says why',
  ],
  [
    'no key at its cap',
    { mint: { url: 'http://127.0.0.1:9', apiKey: `ac_live_${'k'.repeat(40)}` } },
    ['--profile', 'cap'],
    '--profile cap needs mint.keys.capped, or backend.fakeMint',
  ],
  ['no part', { name: 'nothing' }, [], 'storm needs a mint, a backend or signaling: configure one'],
  [
    'more machines than users',
    {},
    ['--users', '3', '--shard', '4/4'],
    '--shard 4/4 is empty: use at most 3 shards',
  ],
  ['no share', {}, ['--shard', '0/4'], 'invalid --shard 0/4; use INDEX/COUNT'],
  ['no figures', {}, ['--parts', 'twotoken.yaml'], 'twotoken.yaml has no figures of a storm'],
  ['no such file', {}, ['--parts', 'part-9.log'], 'part-9.log cannot be read'],
]

test.each(mistakes)('says in one sentence that it was given %s', async (_, written, args, sentence) => {
  await using workplace = await createWorkplace(written)
  await installStandIn(workplace)
  const { code, stderr } = await workplace.start(['storm', ...config, ...args]).ended
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(sentence)
  expect(code).toBe(2)
})

test('says how to get Artillery, and what it said where it gave no figures', async () => {
  await using workplace = await createWorkplace('')
  await rm(join(workplace.folder, 'twotoken.yaml'))
  const without = await workplace.start(['storm', ...brief]).ended
  expect(without.stderr).toContain('run "npm install --save-dev artillery"')
  expect(without.code).toBe(2)
  await installStandIn(workplace, "console.log('no such option'); process.exit(7)")
  const failed = await workplace.start(['storm', ...brief]).ended
  expect(failed.stderr).toContain('Artillery ended with 7 and no figures; it said: no such option')
  expect(failed.code).toBe(2)
})
