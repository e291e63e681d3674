import type { Page } from '@playwright/test'

// Operates the page of `judge-client.ts`.

interface User {
  readonly userId: string
  readonly sessionToken: string
}

export async function signIn(page: Page, { userId, sessionToken }: User): Promise<object> {
  await page.getByLabel('Session').fill(sessionToken)
  return { userId, sessionToken }
}

export async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
}

export async function disconnect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Disconnect' }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByLabel('Session').fill('')
}

export async function configure(page: Page, { signalingUrl }: { signalingUrl?: string }): Promise<void> {
  await page.getByLabel('signalingUrl').fill(signalingUrl ?? '')
}
