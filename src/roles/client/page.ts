import type { BrowserContext, Page } from '@playwright/test'
import { ControlLost } from '../../base/inconclusive.ts'
import type { OpenContext } from './browser.ts'
import type { Actor } from './client-driver.ts'
import type { World } from './client-world.ts'
import { followNetwork } from './network-idle.ts'
import { tapPage } from './page-capture.ts'
import { type Driver, stateOf } from './page-driver.ts'
import type { EndOfPage } from './trace-recorder.ts'
import type { OpenOptions, OptionalAction } from './types.ts'

export interface PageOptions {
  readonly world: World
  readonly opened: OpenContext
  readonly driver: Driver
  readonly url: string
  readonly open: OpenOptions
  /** Begins to keep what can be seen; the result ends it. */
  readonly follow: (context: BrowserContext) => Promise<EndOfPage>
  /** Whether all that was judged until now held. */
  readonly holdsSoFar: () => boolean
}

const navigationMs = 20_000
const actionMs = 15_000
/** A clock cannot be held at an instant that is past by the time it hears of it. */
const holdAheadMs = [50, 250, 1000, 4000]
/** A page that loads itself so often within `reloadWindowMs` has nothing else to do. */
const mostReloads = 20
const reloadWindowMs = 10_000

/**
 * Opens the page under test in its context.
 * @throws ControlLost where it does not load
 */
export async function openPage({
  world,
  opened,
  driver,
  url,
  open,
  follow,
  holdsSoFar,
}: PageOptions): Promise<Actor> {
  const { context } = opened
  context.setDefaultNavigationTimeout(navigationMs)
  context.setDefaultTimeout(actionMs)
  const { drivenClock } = open
  if (drivenClock !== undefined) await context.clock.install({ time: Date.now() + drivenClock.offsetMs })
  const taps = await tapPage(context, world)
  const finish = await follow(context)
  const page = await context.newPage()
  watch(page, world)
  const arrived = drivenClock === undefined ? () => Promise.resolve() : await followNetwork(page, world)
  await load(page, driver, url, world).catch(async (error: unknown) => {
    await finish(page, false).catch(() => undefined)
    throw error
  })
  return {
    prefix: 'driver.',
    isPerson: false,
    takesSession: false,
    can: capabilitiesOf(driver),
    signIn: (user) => driver.signIn(page, user),
    connect: () => driver.connect(page),
    signOut: () => driver.signOut(page),
    disconnect: async () => await driver.disconnect?.(page),
    configure: async (patch) => await driver.configure?.(page, patch),
    state: async () => stateOf(await driver.state?.(page)),
    taps,
    isClockDriven: () => drivenClock !== undefined && page.workers().length === 0,
    async holdClock() {
      for (const aheadMs of holdAheadMs) {
        const now = await page.evaluate(() => Date.now())
        const isHeld = await context.clock.pauseAt(now + aheadMs).then(
          () => true,
          () => false,
        )
        if (isHeld) return
      }
      throw new ControlLost('the clock of the page could not be held')
    },
    releaseClock: () => context.clock.resume(),
    runClock: (ms) => context.clock.runFor(ms),
    arrived,
    passTime: (ms) => context.clock.fastForward(ms),
    async [Symbol.asyncDispose]() {
      await finish(page, holdsSoFar() && !world.bell.hasFailed()).catch(() => undefined)
      await opened[Symbol.asyncDispose]()
    },
  }
}

function capabilitiesOf(driver: Driver): ReadonlySet<OptionalAction> {
  const exported = (['disconnect', 'configure', 'state'] as const).filter(
    (name) => driver[name] !== undefined,
  )
  return new Set([...exported, 'drivenClock'])
}

async function load(page: Page, driver: Driver, url: string, world: World): Promise<void> {
  const go = async () => {
    if (driver.open !== undefined) return await driver.open(page)
    const response = await page.goto(url)
    const status = response?.status() ?? 200
    if (status >= 400) throw new Error(`it answered ${status}`)
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
  const lost = world.bell.wait(() => isOver, navigationMs)
  await Promise.race([loading, lost]).catch((error: unknown) => {
    if (error instanceof ControlLost) throw error
    const why = world.passing.failure(new URL(url).origin)
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    const step = driver.open === undefined ? `the page ${url} does not load` : 'driver.open failed'
    throw new ControlLost(`${step}: ${why ?? said}`)
  })
}

function isNetworkChange(error: unknown): boolean {
  return error instanceof Error && error.message.includes('ERR_NETWORK_CHANGED')
}

/** Whatever makes a page useless ends every wait for it. */
function watch(page: Page, { bell }: World): void {
  const loads: number[] = []
  page.on('crash', () => bell.lose(new ControlLost('the page crashed')))
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    const now = performance.now()
    loads.push(now)
    const recent = loads.filter((at) => now - at < reloadWindowMs)
    if (recent.length > mostReloads)
      bell.lose(
        new ControlLost(
          `the page keeps loading itself: ${recent.length} times within ${reloadWindowMs / 1000} s`,
        ),
      )
  })
}
