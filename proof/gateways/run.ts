import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBackend } from '../../fixtures/backend/server.ts'
import { reservePort } from '../../fixtures/reserve-port.ts'
import { startSignaling } from '../../fixtures/signaling/server.ts'
import { type Reference, startReference } from '../../fixtures/stack.ts'
import { createLoopbackTls } from '../../fixtures/tls.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { pathOfNode } from '../../src/cli/testing/run-command.ts'
import { messageOf, type Outcome, runSuites, tell } from '../outcome.ts'
import { whyOf } from '../variants/table.ts'
import { type Gateway, gateways, type Passages } from './gateways.ts'

// `npm run proof -- gateways`: whole runs against the reference behind nginx and HAProxy, or behind those whose names have one of the
// given texts. No requirement may fail there, and the exit code is 0, or 3 with the reason.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, show: { type: 'boolean', default: false } },
})

/** Starts a second backend and signaling, which know what the first know when they start. */
async function startSecondNodes({ mint, backend, written }: Reference) {
  await using nodes = new AsyncDisposableStack()
  const { fakeMint } = written['backend'] as { readonly fakeMint: { readonly listen: string } }
  const tokens = Object.entries(backend.sessions).map(([name, { token }]) => [name, token])
  const tls = createLoopbackTls()
  const second = nodes.use(
    await startBackend({
      mintUrl: `http://${fakeMint.listen}`,
      apiKey: mint.keys.active,
      users: backend.users,
      sessionTokens: Object.fromEntries(tokens),
    }),
  )
  const signaling = nodes.use(
    await startSignaling({ jwksUrl: mint.jwksUrl, ca: tls.ca, issuer: mint.url, tls: tls.server }),
  )
  const stop = nodes.move()
  return { backend: second, signaling, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}

/** Runs the suites of servers against the reference behind a gateway. */
async function judge(gateway: Gateway): Promise<Outcome> {
  await using parts = new AsyncDisposableStack()
  const { path: folder } = parts.use(await openTempFolder())
  const reference = parts.use(await startReference())
  const second = parts.use(await startSecondNodes(reference))
  const ports = await Promise.all([reservePort(), reservePort(), reservePort()])
  for (const port of ports) parts.use(port)
  const tls = createLoopbackTls()
  await writeFile(join(folder, 'server.pem'), `${tls.server.cert}${tls.server.key}`)
  await writeFile(join(folder, 'ca.pem'), `${tls.ca}${await readFile(reference.caFile, 'utf8')}`)
  const [mintPort, backendPort, signalingPort] = ports.map(({ port }) => port) as [number, number, number]
  const isDouble = gateway.name.includes('two nodes')
  const nodesOf = (url: string, other: string): [string, ...string[]] =>
    isDouble ? [new URL(url).host, new URL(other).host] : [new URL(url).host]
  const passages: Passages = {
    mint: { port: mintPort, nodes: [new URL(reference.mint.url).host], isSecure: false },
    backend: {
      port: backendPort,
      nodes: nodesOf(reference.backend.url, second.backend.url),
      isSecure: false,
    },
    signaling: {
      port: signalingPort,
      nodes: nodesOf(reference.signaling.url, second.signaling.url),
      isSecure: true,
    },
  }
  await writeFile(join(folder, 'gateway.conf'), gateway.configure(passages))
  parts.use(await startGateway(gateway, folder, mintPort))
  await writeFile(join(folder, 'twotoken.yaml'), JSON.stringify(behind(reference, passages)))
  return await runSuites('mint,backend,signaling,flow', folder, values.only)
}

/** The configuration of the reference, with the addresses of the gateway. */
function behind({ written }: Reference, { mint, backend, signaling }: Passages): Record<string, unknown> {
  const at = (part: string, port: number) => {
    const described = written[part] as Readonly<Record<string, unknown>>
    const url = new URL(described['url'] as string)
    url.port = String(port)
    return { ...described, url: url.href.replace(/\/$/, '') }
  }
  const { hooks: _, ...others } = written
  return {
    ...others,
    mint: at('mint', mint.port),
    backend: at('backend', backend.port),
    signaling: at('signaling', signaling.port),
    tls: { ca: 'ca.pem' },
    absent: [
      { what: 'hooks', reason: 'the second node would not notice' },
      ...(written['absent'] as readonly object[]),
    ],
  }
}

async function startGateway({ program }: Gateway, folder: string, port: number) {
  const args =
    program === 'nginx' ? ['-p', folder, '-c', join(folder, 'gateway.conf')] : ['-db', '-f', 'gateway.conf']
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: pathOfNode },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const ended = once(child, 'close').then(
    () => said,
    (error: Error) => error.message,
  )
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) break
    const end = await Promise.race([ended, new Promise<null>((resolve) => setTimeout(resolve, 50, null))])
    if (end !== null) throw new Error(`${program} did not start: ${end}`)
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

/** Prints the outcome behind a gateway. True where the run accused nothing. */
async function prove(gateway: Gateway): Promise<boolean> {
  const { code, stderr, results } = await judge(gateway)
  const checks = results?.checks ?? []
  const odd = checks.filter(({ verdict }) => !['pass', 'info', 'not-applicable'].includes(verdict))
  const isRight = (code === 0 || code === 3) && checks.length > 0
  const seconds = Math.round((results?.durationMs ?? 0) / 1000)
  tell(
    `${isRight ? 'ok   ' : 'WRONG'} ${gateway.name}: exit ${code} after ${seconds} s, ${checks.length} requirements`,
  )
  if (results === null) tell(stderr.slice(-2000))
  for (const check of odd)
    tell(`      ${check.verdict} ${check.id}: ${whyOf(check).slice(0, values.show ? 3000 : 400)}`)
  return isRight
}

/** Most of a run is waiting, for limits, bans and expiries: all gateways are run beside each other. */
async function proveSafely(gateway: Gateway): Promise<boolean> {
  try {
    return await prove(gateway)
  } catch (error) {
    tell(`WRONG ${gateway.name}: ${messageOf(error)}`)
    return false
  }
}

const chosen = gateways.filter(
  ({ name }) => positionals.length === 0 || positionals.some((wanted) => name.includes(wanted)),
)
const outcomes = await Promise.all(chosen.map(proveSafely))
const wrong = outcomes.filter((isRight) => !isRight).length
tell(`${chosen.length} gateways, ${wrong} wrong`)
process.exitCode = wrong > 0 || chosen.length < Math.max(1, positionals.length) ? 1 : 0
