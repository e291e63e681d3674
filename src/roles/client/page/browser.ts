import { createHash, X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { env } from 'node:process'
import { Untested } from '../../../base/inconclusive.ts'
import { omitUndefined } from '../../../base/omit-undefined.ts'
import { createAuthority } from '../../../base/tls/certificates.ts'
import { createIdentities, startProxy, type TrafficHandler } from '../proxy/intercepting-proxy.ts'
import type { OpenOptions } from '../types.ts'
import { type BrowserSandbox, findBrowserSandbox, writeSandboxedProgram } from './browser-sandbox.ts'
import { unpackShippedBrowser } from './shipped-browser.ts'

export type BrowserSource = ReturnType<typeof createBrowserSource>
export type OpenContext = Awaited<ReturnType<BrowserSource['openContext']>>

export interface BrowserChoice {
  /** The user's own setting: an absolute path. Nothing else is tried then. */
  readonly path?: string
  /** The one of the npm package, which is the same on every machine. */
  readonly onlyShipped?: boolean
}

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** Features that the browser runs unasked: none of them may leave the machine or enter the evidence. */
const ownFeatures = [
  'AutofillServerCommunication',
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // Pages of its address bar, which the suite never shows: they cost each window more than the app does.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
]

const quietly = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-quic',
  '--no-pings',
  `--disable-features=${ownFeatures.join(',')}`,
]

/** One browser for everything that a process judges; started when the first page is opened. */
export function createBrowserSource(choice: BrowserChoice) {
  const authority = createAuthority()
  const identities = createIdentities(authority)
  let launched: Promise<Launched> | undefined
  return {
    /** A separate context whose whole traffic goes to the handler. Throws `Untested` where there is no browser. */
    async openContext(
      trafficHandler: TrafficHandler,
      { withoutContentPolicy = false }: Pick<OpenOptions, 'withoutContentPolicy'> = {},
    ) {
      launched ??= launch(choice, hashPublicKey(authority.certificate))
      const { browser, name } = await launched
      const proxy = await startProxy(identities, trafficHandler)
      const browserContext = await browser
        .newContext({
          bypassCSP: withoutContentPolicy,
          // Animations slow down the checks, and no check looks at them.
          reducedMotion: 'reduce',
          proxy: { server: proxy.address, bypass: '<-loopback>' },
        })
        .catch(async (error: unknown) => {
          await proxy[Symbol.asyncDispose]()
          throw error
        })
      return {
        browserContext,
        browser: name,
        async [Symbol.asyncDispose]() {
          await browserContext.close().catch(() => undefined)
          await proxy[Symbol.asyncDispose]()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      const running = await launched?.catch(() => null)
      await running?.[Symbol.asyncDispose]()
    },
  }
}

type Launched = Awaited<ReturnType<typeof launchIn>>

/** The hash by which the browser knows the throwaway authority: it is part of every chain that the proxy shows. */
function hashPublicKey(certificate: string): string {
  const { publicKey } = new X509Certificate(certificate)
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}

/** The user's setting and nothing else, or Playwright's own, else one of the system, else the one of an npm package. */
async function* candidates({ path: wanted, onlyShipped = false }: BrowserChoice): AsyncGenerator<Candidate> {
  if (wanted !== undefined) return yield { path: wanted, args: [] }
  if (!onlyShipped && (await hasInstalled())) yield { args: [] }
  for (const path of onlyShipped ? [] : systemBrowsers) if (await isExecutable(path)) yield { path, args: [] }
  try {
    const shipped = await unpackShippedBrowser()
    // Only one of the package's arguments is used, and only where it is necessary. Others switch off features
    // that a page relies on.
    if (shipped !== null) {
      yield { path: shipped, args: [] }
      yield { path: shipped, args: ['--no-zygote'] }
    }
  } catch (error) {
    yield { args: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

async function launch(choice: BrowserChoice, pin: string): Promise<Launched> {
  const failures: string[] = []
  const sandbox = await findBrowserSandbox()
  for await (const candidate of candidates(choice)) {
    if (candidate.failure !== undefined) {
      failures.push(candidate.failure)
      continue
    }
    // A kernel may allow the namespace, and refuse what the browser does in it.
    const tries: BrowserSandbox[] = sandbox === 'by user namespace' ? [sandbox, 'none'] : [sandbox]
    for (const tried of tries) {
      try {
        return await launchIn(tried, candidate, pin)
      } catch (error) {
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
        if (candidate.path !== undefined) failures.push(`${candidate.path} does not start: ${why}`)
      }
    }
  }
  const seen = failures.length === 0 ? '' : ` (${[...new Set(failures)].join('; ')})`
  throw new Untested(
    choice.path === undefined
      ? `no browser was found: run "npx playwright install chromium", install Chromium or Chrome, or set client.browser${seen}`
      : `client.browser ${choice.path} does not start${seen}: correct it, or remove it`,
  )
}

async function launchIn(sandbox: BrowserSandbox, { path, args }: Candidate, pin: string) {
  const { chromium } = await import('@playwright/test')
  await using stack = new AsyncDisposableStack()
  const program =
    sandbox === 'by user namespace'
      ? stack.use(await writeSandboxedProgram(path ?? chromium.executablePath())).path
      : path
  const options = {
    executablePath: program,
    env: browserEnvironment(env),
    chromiumSandbox: sandbox !== 'none',
    args: [...quietly, ...args, `--ignore-certificate-errors-spki-list=${pin}`],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  }
  const browser = await chromium.launch(omitUndefined(options))
  const unprotected = sandbox === 'none' ? ', without its sandbox' : ''
  const opened = stack.move()
  return {
    browser,
    name: `Chromium ${browser.version()} (${path ?? "Playwright's own"})${unprotected}`,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** Variables by which a browser finds its display, its fonts, its folders and its language. */
const needed =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|TEMP|TMP|LANG|LANGUAGE|LC_.*|TZ|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|FONTCONFIG_.*|LD_LIBRARY_PATH|PLAYWRIGHT_BROWSERS_PATH|SystemRoot|SystemDrive|windir|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramFiles.*|ProgramData|PATHEXT|ComSpec)$/i

/** A page that breaks out of its browser finds no credential of the suite in its environment. */
export function browserEnvironment(variables: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value !== undefined && needed.test(name) ? [[name, value]] : [],
    ),
  )
}

interface Candidate {
  /** Absent: the one that Playwright has installed. */
  readonly path?: string
  readonly args: readonly string[]
  /** Why it cannot be had after all. */
  readonly failure?: string
}

/** Says whether Playwright's folder of browsers has any. A launch in vain leaves folders behind. */
async function hasInstalled(): Promise<boolean> {
  const { chromium } = await import('@playwright/test')
  const [folder] = chromium.executablePath().split(/[\\/]chromium-\d+[\\/]/)
  const names = await readdir(folder ?? '').catch(() => [])
  return names.some((name) => name.startsWith('chromium'))
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
