import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pact } from '@pact-foundation/pact'
import { stringify } from 'yaml'
import { agree, type Contract } from './consumers/contract.ts'
import { customerRouteContract } from './consumers/customer-route.ts'
import { mintContracts } from './consumers/mint.ts'
import { describeInAsyncApi } from './standards/asyncapi.ts'
import { describeInOpenApi } from './standards/openapi.ts'
import { readPactCases } from './standards/pact-cases.ts'

export const contracts: readonly Contract[] = [...mintContracts, customerRouteContract]
export const pactFolder = join(import.meta.dirname, 'pacts')
/** Descriptions of the interfaces, beside the pacts. */
export const documentNames = ['openapi.yaml', 'asyncapi.yaml'] as const

/** Drives every consumer and writes its pact into the folder, which is emptied first: Pact would merge into old files. */
export async function generatePacts(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const { consumer, provider, cases } of contracts) {
    const pact = new Pact({ dir: folder, consumer, provider, logLevel: 'error' })
    for (const agreed of cases) await agree(pact, agreed)
  }
}

/** The documents as texts, with the examples of the pacts in the folder. */
export async function generateDocuments(
  folder: string,
): Promise<Readonly<Record<(typeof documentNames)[number], string>>> {
  const write = (document: object) => stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })
  return {
    'openapi.yaml': write(describeInOpenApi(await readPactCases(folder))),
    'asyncapi.yaml': write(describeInAsyncApi()),
  }
}

if (import.meta.main) {
  await generatePacts(pactFolder)
  for (const [name, text] of Object.entries(await generateDocuments(pactFolder)))
    await writeFile(join(import.meta.dirname, name), text)
}
