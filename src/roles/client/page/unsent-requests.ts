import type { BrowserContext, Page, Request } from '@playwright/test'
import { unsentRequestMs } from '../../../base/times.ts'
import type { ClientContext } from '../client-context.ts'

/** How a request fails on its way; one that the page gives up, or that the browser forbids, is never sent. */
const failedOnItsWay = /ERR_(?:CONNECTION|EMPTY_RESPONSE|NETWORK|PROXY|SOCKET|SSL|TIMED_OUT|TUNNEL)/
const givenUpByPage = /ERR_ABORTED/

/** Follows the requests that the pages of a context begin to send. */
export function trackUnsentRequests(
  browserContext: BrowserContext,
  { changeSignal, arrivalsAt }: Pick<ClientContext, 'changeSignal' | 'arrivalsAt'>,
) {
  const open = new Set<Request>()
  const failed = new Set<Request>()
  const begun = new Map<string, number>()
  /** By the address that it was begun with, before any redirect. */
  const givenUp = new Set<string>()
  browserContext.on('request', (request) => {
    const url = addressOf(request)
    if (url === null) return
    open.add(request)
    begun.set(url, (begun.get(url) ?? 0) + 1)
  })
  const settle = (request: Request) => {
    if (open.delete(request)) changeSignal.notify()
  }
  browserContext.on('response', (response) => {
    const request = response.request()
    givenUp.delete(beginOf(request).url())
    settle(request)
  })
  browserContext.on('requestfinished', settle)
  browserContext.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (failedOnItsWay.test(reason)) failed.add(request)
    if (givenUpByPage.test(reason)) givenUp.add(beginOf(request).url())
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
    /** Whether the page has given up its last request for this address, or what followed a redirect of it. */
    isGivenUp: (url: string) => givenUp.has(url),
  }
}

function beginOf(request: Request): Request {
  const before = request.redirectedFrom()
  return before === null ? request : beginOf(before)
}

/** Null for what needs no network. */
function addressOf(request: Request): string | null {
  const url = URL.parse(request.url())
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  return url.href
}
