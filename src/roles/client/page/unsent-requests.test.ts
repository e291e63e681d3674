import { EventEmitter } from 'node:events'
import type { BrowserContext } from '@playwright/test'
import { expect, test, vi } from 'vitest'
import { createChangeSignal } from '../change-signal.ts'
import { trackUnsentRequests } from './unsent-requests.ts'

const route = 'https://shop.test/calling/token'
const target = 'https://other-origin.test/token'

/** A request as Playwright reports it. */
function requestOf(url: string, redirectedFrom: object | null = null, errorText: string | null = null) {
  return {
    url: () => url,
    redirectedFrom: () => redirectedFrom,
    failure: () => errorText && { errorText },
  }
}

const begin = requestOf(route, null, 'net::ERR_ABORTED')
const givenUp = ['requestfailed', begin] as const
const redirected = ['response', { request: () => begin }] as const
const gaveUpRedirect = ['requestfailed', requestOf(target, begin, 'net::ERR_ABORTED')] as const

test.each([
  ['an answered request', [redirected], false],
  ['a request that the page gives up', [givenUp], true],
  ['the request that follows a redirect, and is given up', [redirected, gaveUpRedirect], true],
  [
    'a redirect that the page does not allow',
    [['requestfailed', requestOf(route, null, 'net::ERR_FAILED')]],
    false,
  ],
  ['an answer whose body the page does not read', [redirected, givenUp], false],
] as const)('%s is given up: %s', (_, events, isGivenUp) => {
  const browserContext = new EventEmitter()
  const noteGivenUp = vi.fn()
  trackUnsentRequests(browserContext as unknown as BrowserContext, {
    changeSignal: createChangeSignal(),
    arrivalsAt: () => 0,
    noteGivenUp,
  })
  browserContext.emit('request', begin)
  for (const [event, value] of events) browserContext.emit(event, value)
  expect(noteGivenUp.mock.calls).toEqual(isGivenUp ? [[route, expect.any(Number)]] : [])
})
