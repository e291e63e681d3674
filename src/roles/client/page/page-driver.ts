import type { Page } from '@playwright/test'
import { TwotokenError } from '../../../base/errors.ts'
import { importUserModule } from '../../../base/user-modules.ts'
import type { ClientState } from '../types.ts'

/** The user's module that operates the page; see `docs/client.md`. */
export interface PageDriver {
  signIn(page: Page, user: DriverUser): Promise<unknown>
  connect(page: Page): Promise<unknown>
  signOut(page: Page): Promise<unknown>
  disconnect?(page: Page): Promise<unknown>
  configure?(page: Page, patch: Readonly<Record<string, unknown>>): Promise<unknown>
  state?(page: Page): Promise<unknown>
  open?(page: Page): Promise<unknown>
}

export interface DriverUser {
  readonly name: string
  readonly [key: string]: unknown
}

const demanded = ['signIn', 'connect', 'signOut'] as const
const optional = ['disconnect', 'configure', 'state', 'open'] as const
const clientStates: readonly ClientState[] = ['idle', 'connecting', 'connected', 'disconnected', 'failed']

/** Loads the driver. Throws TwotokenError `configuration` where it is missing, breaks, or lacks a function. */
export async function loadPageDriver(file: string): Promise<PageDriver> {
  const module = await importUserModule('client.driver', file)
  const inner = module['default']
  const exported: Record<string, unknown> =
    typeof inner === 'object' && inner !== null ? { ...inner, ...module } : module
  for (const name of demanded)
    if (typeof exported[name] !== 'function')
      throw new TwotokenError(
        'configuration',
        `client.driver ${file} does not export ${name}, expected ${demanded.join(', ')}: export it as a function`,
      )
  for (const name of optional)
    if (exported[name] !== undefined && typeof exported[name] !== 'function')
      throw new TwotokenError(
        'configuration',
        `client.driver ${file} exports ${name}, which is not a function`,
      )
  return exported as unknown as PageDriver
}

/** Throws where what a client says of itself is no state. */
export function parseClientState(said: unknown): ClientState {
  const state = clientStates.find((known) => known === said)
  if (state !== undefined) return state
  throw new Error(`it returned ${JSON.stringify(said)}, expected one of ${clientStates.join(', ')}`)
}
