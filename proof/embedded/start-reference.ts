import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { startReference } from '../../fixtures/stack.ts'
import { describedReference } from './described-reference.ts'

/** Playwright's global setup: the reference, and the file that describes it. */
export default async function startForPlaywright(): Promise<() => Promise<void>> {
  const reference = await startReference({ withClient: true })
  await mkdir(dirname(describedReference), { recursive: true })
  await writeFile(describedReference, JSON.stringify(reference.written), { mode: 0o600 })
  return async () => {
    await rm(describedReference)
    await reference[Symbol.asyncDispose]()
  }
}
