import type { BrowserContext, Page, Request } from '@playwright/test'
import { unsentRequestMs } from '../../../base/times.ts'
import type { ClientContext } from '../client-context.ts'

/** How a request fails on its way; one that the page gives up, or that the browser forbids, is never sent. */
const failedOnItsWay = /ERR_(?:CONNECTION|EMPTY_RESPONSE|NETWORK|PROXY|SOCKET|SSL|TIMED_OUT|TUNNEL)/
const givenUpByPage = /ERR_ABORTED/

/** Follows the requests that the pages of a context begin to send. */
export function trackUnsentRequests(
  browserContext: BrowserContext,
  {
    changeSignal,
    arrivalsAt,
    noteGivenUp,
  }: Pick<ClientContext, 'changeSignal' | 'arrivalsAt' | 'noteGivenUp'>,
) {
  const open = new Set<Request>()
  const failed = new Set<Request>()
  const begun = new Map<string, number>()
  const beginnings = new WeakMap<Request, number>()
  const answered = new WeakSet<Request>()
  browserContext.on('request', (request) => {
    beginnings.set(request, performance.now())
    const url = addressOf(request)
    if (url === null) return
    open.add(request)
    begun.set(url, (begun.get(url) ?? 0) + 1)
  })
  const settle = (request: Request) => {
    if (open.delete(request)) changeSignal.notify()
  }
  browserContext.on('response', (response) => {
    answered.add(response.request())
    settle(response.request())
  })
  browserContext.on('requestfinished', settle)
  browserContext.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (failedOnItsWay.test(reason)) failed.add(request)
    if (givenUpByPage.test(reason) && !answered.has(request)) {
      const first = beforeRedirects(request)
      const now = performance.now()
      noteGivenUp(first.url(), now - (beginnings.get(first) ?? now))
    }
    settle(request)
  })

  const isUnsent = (request: Request): boolean => {
    const url = addressOf(request)
    return url !== null && arrivalsAt(url) < (begun.get(url) ?? 0)
  }
  const areAllSent = () => ![...open].some(isUnsent)
  return {
    /** Waits until all have arrived or failed; true where that took any waiting. A new connection may take seconds. */
    async waitForAll(page: Page): Promise<boolean> {
      // Requests that the page began before this answer are known by then.
      await page.evaluate(() => 0).catch(() => undefined)
      if (areAllSent()) return false
      await changeSignal.waitFor(areAllSent, unsentRequestMs)
      return true
    },
    /** Lists requests that have not arrived, though nothing but the way to the suite was against them. */
    list: () => [...open, ...failed].filter(isUnsent),
  }
}

function beforeRedirects(request: Request): Request {
  const before = request.redirectedFrom()
  return before === null ? request : beforeRedirects(before)
}

/** Null for what needs no network. */
function addressOf(request: Request): string | null {
  const url = URL.parse(request.url())
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  return url.href
}
