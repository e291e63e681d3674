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
  await writeFile(
    file,
    JSON.stringify({ consumer: { name: consumer }, provider: { name: provider }, interactions, metadata }),
  )
  return file
}

export const interaction = (change: object = {}) => ({
  type: 'Synchronous/HTTP',
  description: 'something',
  request: { method: mintContract.method, path: mintContract.path },
  response: { status: 200 },
  ...change,
})

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A provider, or a state endpoint, that answers every request alike and records them. */
export async function startFixedProvider(status: number, body = '{}') {
  const heard: ReceivedRequest[] = []
  const served = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    heard.push({
      method: request.method ?? '',
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString('latin1'),
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  return { ...served, heard }
}
