import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { serve } from '../../base/http/testing/serve.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { mintContract } from '../../contract/mint.ts'

const folder = await openTempFolder()
export const scratch = folder.path
afterAll(() => folder[Symbol.asyncDispose]())
let files = 0

export async function writePactFile(
  interactions: readonly object[],
  provider = 'mint',
  consumer = 'c',
): Promise<string> {
  files += 1
  const file = join(scratch, `${files}.json`)
  const metadata = { pactSpecification: { version: '4.0' } }
  const parties = { consumer: { name: consumer }, provider: { name: provider } }
  await writeFile(file, JSON.stringify({ ...parties, interactions, metadata }))
  return file
}

export const interaction = (change: object = {}) => ({
  type: 'Synchronous/HTTP',
  description: 'something',
  request: { method: mintContract.method, path: mintContract.path },
  response: { status: 200 },
  ...change,
})

/** A provider, or a state endpoint, that answers every request alike and records them. */
export async function startFixedProvider(status: number, body = '{}') {
  const heard: { readonly path: string | undefined; readonly body: string }[] = []
  const served = await serve(async (request, response) => {
    const received = Buffer.concat(await request.toArray()).toString('latin1')
    heard.push({ path: request.url, body: received })
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  return { ...served, heard }
}
