import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Pact } from '@pact-foundation/pact'
import { agree, type Contract } from './consumers/contract.ts'
import { customerRouteContract } from './consumers/customer-route.ts'
import { mintContracts } from './consumers/mint.ts'

export const contracts: readonly Contract[] = [...mintContracts, customerRouteContract]
export const pactFolder = join(import.meta.dirname, 'pacts')

/** Drives every consumer and writes its pact into the folder, which is emptied first: Pact would merge into old files. */
export async function generatePacts(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const { consumer, provider, cases } of contracts) {
    const pact = new Pact({ dir: folder, consumer, provider, logLevel: 'error' })
    for (const agreed of cases) await agree(pact, agreed)
  }
}

if (import.meta.main) await generatePacts(pactFolder)
