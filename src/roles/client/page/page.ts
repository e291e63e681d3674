import type { BrowserContext, Page } from '@playwright/test'
import { ControlLost } from '../../../base/inconclusive.ts'
import { navigationMs, pageActionMs, reloadWindowMs } from '../../../base/times.ts'
import { captureUnsent } from '../capture/traffic-capture.ts'
import type { ClientContext } from '../client-context.ts'
import { type ClientDriver, unproxied } from '../client-driver.ts'
import type { OpenOptions, OptionalAction } from '../types.ts'
import type { OpenContext } from './browser.ts'
import { trackNetworkIdle } from './network-idle.ts'
import { startPageCapture } from './page-capture.ts'
import { type PageDriver, parseClientState } from './page-driver.ts'
import { showPage } from './page-scripts.ts'
import type { FinishTrace } from './trace-recorder.ts'
import { trackUnsentRequests } from './unsent-requests.ts'

export interface PageOptions {
  readonly context: ClientContext
  readonly opened: OpenContext
  readonly driver: PageDriver
  readonly url: string
  readonly open: OpenOptions
  /** Begins to keep what can be seen; the result ends it. */
  readonly follow: (context: BrowserContext) => Promise<FinishTrace>
  /** Says whether all that was judged until now passed. */
  readonly holdsSoFar: () => boolean
}

/** A clock cannot be held at an instant that is past by the time it hears of it. */
const holdAheadMs = [50, 250, 1000, 4000]
/** A page that loads itself so often within `reloadWindowMs` has nothing else to do. */
const mostReloads = 20

/** Opens the page under test in its context. Throws `ControlLost` where it does not load. */
export async function openPage({
  context,
  opened,
  driver,
  url,
  open,
  follow,
  holdsSoFar,
}: PageOptions): Promise<ClientDriver> {
  const { browserContext } = opened
  browserContext.setDefaultNavigationTimeout(navigationMs)
  browserContext.setDefaultTimeout(pageActionMs)
  const { drivenClock } = open
  if (drivenClock !== undefined)
    await browserContext.clock.install({ time: Date.now() + drivenClock.offsetMs })
  const unsent = trackUnsentRequests(browserContext, context)
  const capturePages = await startPageCapture(browserContext, context)
  const finish = await follow(browserContext)
  const page = await browserContext.newPage()
  watch(page, context)
  const waitForNetworkIdle = await trackNetworkIdle(page, context)
  await load(page, driver, url, context).catch(async (error: unknown) => {
    await finish(page, false).catch(() => undefined)
    throw error
  })
  return {
    ...unproxied,
    prefix: 'driver.',
    // A reserved name works: the page's traffic is led to the suite, whatever its host.
    otherOrigin: 'https://other-origin.twotoken.test',
    can: capabilitiesOf(driver),
    signIn: (user) => driver.signIn(page, user),
    connect: () => driver.connect(page),
    signOut: () => driver.signOut(page),
    disconnect: async () => await driver.disconnect?.(page),
    configure: async (patch) => await driver.configure?.(page, patch),
    state: async () => parseClientState(await driver.state?.(page)),
    capture: async () => [...(await capturePages()), ...captureUnsent(unsent.list(), context)],
    isClockDriven: () => drivenClock !== undefined && page.workers().length === 0,
    async holdClock() {
      for (const aheadMs of holdAheadMs) {
        const now = await page.evaluate(() => Date.now())
        const isHeld = await ignoreTimerErrors(browserContext.clock.pauseAt(now + aheadMs)).then(
          () => true,
          () => false,
        )
        if (isHeld) return
      }
      throw new ControlLost("the page's clock could not be paused")
    },
    releaseClock: () => browserContext.clock.resume(),
    runClock: (ms) => ignoreTimerErrors(browserContext.clock.runFor(ms)),
    waitForNetworkIdle,
    waitForSentRequests: () => unsent.waitForAll(page),
    passTime: (ms) => ignoreTimerErrors(browserContext.clock.fastForward(ms)),
    setVisible: (isVisible) => page.evaluate(showPage, isVisible),
    async [Symbol.asyncDispose]() {
      await finish(page, holdsSoFar() && !context.changeSignal.hasFailed()).catch(() => undefined)
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** When all timers that are due have run, Playwright throws what a timer of the app threw: in a page, only the console would say so. */
async function ignoreTimerErrors(running: Promise<void>): Promise<void> {
  await running.catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('_callFirstTimer'))) throw error
  })
}

function capabilitiesOf(driver: PageDriver): ReadonlySet<OptionalAction> {
  const exported = (['disconnect', 'configure', 'state'] as const).filter(
    (name) => driver[name] !== undefined,
  )
  return new Set([...exported, 'drivenClock'])
}

async function load(page: Page, driver: PageDriver, url: string, context: ClientContext): Promise<void> {
  const go = async () => {
    if (driver.open !== undefined) return await driver.open(page)
    const response = await page.goto(url)
    const status = response?.status() ?? 200
    if (status >= 400) throw new Error(`it returned ${status}`)
    return undefined
  }
  // A network interface that comes or goes on this machine breaks off whatever Chromium is loading: once more, then.
  const loading = go().catch((error: unknown) => (isNetworkChange(error) ? go() : Promise.reject(error)))
  let isOver = false
  loading
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  const lost = context.changeSignal.waitFor(() => isOver, navigationMs)
  await Promise.race([loading, lost]).catch((error: unknown) => {
    if (error instanceof ControlLost) throw error
    const why = context.forwardProxy.failureOf(new URL(url).origin)
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    const step = driver.open === undefined ? `the page ${url} does not load` : 'driver.open failed'
    throw new ControlLost(`${step}: ${why ?? said}`)
  })
}

function isNetworkChange(error: unknown): boolean {
  return error instanceof Error && error.message.includes('ERR_NETWORK_CHANGED')
}

/** Whatever makes a page useless ends every wait for it. */
function watch(page: Page, { changeSignal }: ClientContext): void {
  const loads: number[] = []
  page.on('crash', () => changeSignal.abort(new ControlLost('the page crashed')))
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    const now = performance.now()
    loads.push(now)
    const recent = loads.filter((at) => now - at < reloadWindowMs)
    if (recent.length > mostReloads)
      changeSignal.abort(
        new ControlLost(
          `the page keeps loading itself: ${recent.length} times within ${reloadWindowMs / 1000} s`,
        ),
      )
  })
}
