import { stringify } from 'yaml'
import type { StartedConsole } from '../../../fixtures/console/server.ts'
import type { Reference } from '../../../fixtures/stack.ts'
import { TwotokenError } from '../../base/errors.ts'
import { onOneLine } from '../../base/printable.ts'
import { findVariant, loadNamedVariants } from '../../catalogue/load-variants.ts'
import type { RunEnvironment } from '../../run/options.ts'
import type { Output } from '../output/output.ts'

const servable = ['mint', 'backend', 'signaling', 'console', 'app'] as const
type Part = (typeof servable)[number]

export interface ServeOptions {
  readonly parts?: readonly string[]
  /** The mint listens there, the others on the ports that follow; any free ports where absent. */
  readonly portBase?: number
  readonly variant?: string
  readonly json?: boolean
  /** Folder of the keys and certificates of every start; new ones where absent. */
  readonly state?: string | undefined
}

/** `twotoken serve`: the reference stack or a variant of it. Its keys and sessions are printed: they open nothing else. */
export async function serve(
  { parts: named = servable, portBase, variant: variantName, json = false, state }: ServeOptions,
  { stdout, stderr, onInterrupt }: Output & Pick<RunEnvironment, 'onInterrupt'>,
): Promise<number> {
  const wanted = parseParts(named)
  // Every part needs the mint, and the app needs all three.
  const needed: readonly Part[] = wanted.has('app') ? ['mint', 'backend', 'signaling'] : ['mint']
  const started = new Set([...wanted, ...needed])
  const ports = assignPorts(portBase)
  const variant = variantName === undefined ? {} : findVariant(variantName, await loadNamedVariants())
  const interrupted = new Promise<void>((resolve) => onInterrupt(resolve))
  const { startReference } = await import('../../../fixtures/stack.ts')
  const { openKeptState } = await import('../../../fixtures/kept-state.ts')

  // Lines of the start come before the addresses.
  let isTold = false
  await using stack = new AsyncDisposableStack()
  try {
    const reference = stack.use(
      await startReference({
        variant,
        withoutDouble: true,
        ports: {
          mint: ports.mint,
          backend: started.has('backend') ? ports.backend : 0,
          signaling: started.has('signaling') ? ports.signaling : 0,
          app: ports.app,
        },
        withClient: wanted.has('app'),
        forPeople: true,
        kept: state === undefined ? undefined : await openKeptState(state),
        onLogLine: (part, line) => isTold && stderr.write(`${part.padEnd(9)}  ${onOneLine(line)}\n`),
      }),
    )
    if (!started.has('backend')) await reference.backend[Symbol.asyncDispose]()
    if (!started.has('signaling')) await reference.signaling[Symbol.asyncDispose]()
    const { startConsole } = await import('../../../fixtures/console/server.ts')
    const developerConsole = wanted.has('console')
      ? stack.use(await startConsole({ mint: reference.mint, port: ports.console }))
      : null
    for (const part of started)
      if (!wanted.has(part)) stderr.write(`also started the ${part}: required by ${[...wanted].join(', ')}\n`)
    const served = describe(reference, developerConsole, started, variantName ?? null)
    stdout.write(json ? `${JSON.stringify(served, null, 2)}\n` : renderServed(served))
  } catch (error) {
    throw explainPortError(error, ports)
  }
  stderr.write('running; press Ctrl-C to stop\n')
  isTold = true
  await interrupted
  return 0
}

function parseParts(named: readonly string[]): ReadonlySet<Part> {
  for (const name of named)
    if (!servable.includes(name as Part))
      throw new TwotokenError('usage', `unknown part "${name}"; use ${servable.join(', ')}`)
  return new Set(named.length === 0 ? servable : (named as Part[]))
}

function assignPorts(base: number | undefined) {
  if (base === undefined) return { mint: 0, backend: 0, signaling: 0, console: 0, app: 0 }
  const highest = 65_535 - (servable.length - 1)
  if (!Number.isInteger(base) || base < 1 || base > highest)
    throw new TwotokenError('usage', `--port-base ${base} is out of range; use a port from 1 to ${highest}`)
  return { mint: base, backend: base + 1, signaling: base + 2, console: base + 3, app: base + 4 }
}

function explainPortError(error: unknown, ports: Readonly<Record<Part, number>>): unknown {
  const { code, port } = error as { code?: unknown; port?: unknown }
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const part = servable.find((name) => ports[name] === port) ?? 'a part'
  const why = code === 'EADDRINUSE' ? 'is already in use' : 'needs more privileges'
  return new TwotokenError(
    'precondition',
    `port ${port} for ${part} ${why}: free it, or choose another --port-base`,
    error,
  )
}

/** Output of `--json`: everything that is needed to use the stack. */
function describe(
  { mint, backend, signaling, app, caFile, written }: Reference,
  developerConsole: StartedConsole | null,
  started: ReadonlySet<Part>,
  variant: string | null,
) {
  const { url, tokenUrl, sessions, users } = backend
  const described = Object.entries(written).filter(
    ([key]) => (key !== 'backend' && key !== 'signaling') || started.has(key),
  )
  return {
    variant,
    mint: { url: mint.url, jwksUrl: mint.jwksUrl, keys: mint.keys },
    backend: started.has('backend') ? { url, tokenUrl, sessions, users } : undefined,
    signaling: started.has('signaling') ? { url: signaling.url, profile: signaling.profile } : undefined,
    console: developerConsole === null ? undefined : { url: developerConsole.url },
    app: app === null ? undefined : { url: app.url, tokenUrl: app.tokenUrl, signalingUrl: app.signalingUrl },
    // Certificates that clients have to trust for `wss`.
    caFile,
    configuration: Object.fromEntries(described),
  }
}

function renderServed(served: ReturnType<typeof describe>): string {
  const { variant, mint, backend, signaling, caFile } = served
  const lines = new Map([
    ['variant', variant ?? 'none (the reference)'],
    ['mint', mint.url],
    ['  key set', mint.jwksUrl],
  ])
  for (const [name, key] of Object.entries(mint.keys)) lines.set(`  key ${name}`, key)
  if (backend !== undefined) {
    lines.set('backend', backend.url).set('  token route', backend.tokenUrl)
    for (const { name, password, userId } of backend.users)
      lines.set(`  user ${name}`, `password ${password}, userId ${userId}`)
    for (const [name, { token, userId }] of Object.entries(backend.sessions))
      lines.set(`  session ${name}`, `${token} (userId ${userId})`)
  }
  if (signaling !== undefined) lines.set('signaling', signaling.url).set('  trust (CA)', caFile)
  if (served.console !== undefined) lines.set('console', served.console.url)
  if (served.app !== undefined)
    lines
      .set('app', `${served.app.url} (works in any browser, no certificate to trust)`)
      .set('  its signaling', `${served.app.signalingUrl}, proxied to wss by the app's server`)
  const width = Math.max(...[...lines.keys()].map((name) => name.length))
  const listed = [...lines].map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
  return `${listed}\n\n# this stack as a twotoken.yaml:\n${stringify(served.configuration)}`
}
