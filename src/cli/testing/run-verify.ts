import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import { serve } from '../../base/http/testing/serve.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { mintContract } from '../../contract/mint.ts'
import type { RunResults } from '../../reports/results.ts'
import { type VerifyEnvironment, type VerifyOptions, verify } from '../commands/verify.ts'
import { openStreams } from './streams.ts'

export type VerifyRun = Awaited<ReturnType<typeof runVerify>>

type Given = Partial<VerifyOptions> & Pick<VerifyOptions, 'role'>

/** Runs `twotoken verify` in a new folder, as the command line would; a configuration is written to a file. */
export async function runVerify(
  options: Given,
  written?: Readonly<Record<string, unknown>>,
  environment: Pick<VerifyEnvironment, 'core'> = {},
) {
  await using folder = await openTempFolder()
  const { path: directory } = folder
  const { written: printed, ...streams } = openStreams()
  if (written !== undefined) await writeFile(join(directory, 'twotoken.yaml'), JSON.stringify(written))
  const config = written === undefined ? {} : { config: 'twotoken.yaml' }
  const outcome = await verify(
    { strict: false, json: false, ...config, ...options },
    { directory, variables: {}, ...streams, color: false, ...environment },
  ).catch((error: unknown) => {
    if (error instanceof TwotokenError) return error
    throw error
  })
  const file = (name: string) => readFile(join(directory, 'twotoken-results', name), 'utf8').catch(() => '')
  const text = await file('results.json')
  const results: RunResults | null = text === '' ? null : JSON.parse(text)
  return {
    exitCode: typeof outcome === 'number' ? outcome : exitCodeOf(outcome),
    /** The sentence of a command that judged nothing. */
    sentence: typeof outcome === 'number' ? '' : outcome.message,
    results,
    verdicts: Object.fromEntries(results?.checks.map(({ id, verdict }) => [id, verdict]) ?? []),
    junit: await file('junit.xml'),
    ...printed,
  }
}

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
