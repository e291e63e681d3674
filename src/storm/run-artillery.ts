import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TwotokenError } from '../base/errors.ts'
import { createRedactor } from '../base/evidence/redact.ts'
import { givenEnvironment } from '../base/given-environment.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { registerSecrets } from '../configuration/register-secrets.ts'
import { handOverVariable, partFile, startHandOver } from './hand-over.ts'
import type { StormPlan } from './plan.ts'
import { processorFile, renderProcessor, renderScript } from './script.ts'
import { mergeTallies, type Tally, tallySchema } from './tally.ts'

const shownCharacters = 400

/**
 * The program of Artillery: of the folder that the command runs in, else beside this package.
 * @throws TwotokenError `precondition` where it is not installed
 */
export function findArtillery(directory: string): string {
  for (const from of [join(directory, 'package.json'), import.meta.filename])
    try {
      return join(dirname(createRequire(from).resolve('artillery/package.json')), 'bin', 'run')
    } catch {
      // The other place may have it.
    }
  throw new TwotokenError(
    'precondition',
    'storm needs the package artillery, which is not installed: run "npm install --save-dev artillery"',
  )
}

export interface ArtilleryOptions {
  readonly program: string
  /** The path of a module with `stormUser`. */
  readonly processor: string
  readonly configuration: Configuration
  readonly variables: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/**
 * Runs a storm in processes of Artillery, to its end or until it is interrupted.
 * @throws TwotokenError `precondition` with what Artillery said, where no figures came of it
 */
export async function runArtillery(
  plan: StormPlan,
  { program, processor, configuration, variables, signal }: ArtilleryOptions,
): Promise<Tally> {
  await using folder = await openTempFolder()
  const script = join(folder.path, 'storm.json')
  await writeFile(join(folder.path, processorFile), renderProcessor(pathToFileURL(processor).href))
  await writeFile(script, renderScript(plan))
  await using handOver = await startHandOver({ configuration, partsFolder: folder.path })
  const child = spawn(process.execPath, [program, 'run', '--quiet', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...givenEnvironment(variables, configuration),
      ARTILLERY_DISABLE_TELEMETRY: 'true',
      [handOverVariable]: handOver.path,
    },
  })
  let said = ''
  const listen = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, shownCharacters)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const stop = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  // It may have been interrupted while the script was written.
  if (signal.aborted) stop()
  const [code] = (await once(child, 'close')) as [number | null]
  signal.removeEventListener('abort', stop)
  const parts = await readParts(folder.path)
  const [first, ...others] = parts
  if (first !== undefined) return mergeTallies([first, ...others])
  const redactor = createRedactor()
  registerSecrets(configuration, redactor)
  throw new TwotokenError(
    'precondition',
    signal.aborted
      ? 'the storm was interrupted before it had figures'
      : `Artillery ended with ${code} and no figures; it said: ${redactor.text(said).trim().replaceAll(/\s+/g, ' ')}`,
  )
}

async function readParts(folder: string): Promise<Tally[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith(partFile))
  const read = files.map(async (file) =>
    tallySchema.safeParse(JSON.parse(await readFile(join(folder, file), 'utf8'))),
  )
  return (await Promise.all(read)).flatMap(({ data }) => data ?? [])
}
