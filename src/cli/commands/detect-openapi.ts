import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { systemClock } from '../../base/clock.ts'
import { TwotokenError } from '../../base/errors.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { createHttpClient, type HttpClient } from '../../base/http/client.ts'
import { openNetwork } from '../../base/http/network.ts'
import { proxyOf } from '../../base/http/proxy-settings.ts'
import { onOneLine } from '../../base/printable.ts'
import { version } from '../../base/version.ts'
import { type Documented, readOpenApiWhole } from '../../detect/openapi.ts'
import type { ReferenceReader } from '../../detect/put-together.ts'
import { renderFragment, type Setting } from '../../detect/write-yaml.ts'
import { writeJson } from '../../reports/escape.ts'
import { type DetectCommand, type DetectEnvironment, writeSettings } from './detect.ts'

const deadlineMs = 30_000
/** For each document that the first one refers to. */
const hastyMs = 2000
const longestDocument = 16 * 1_048_576

/**
 * `twotoken detect --openapi`: takes from the OpenAPI document of a backend what the configuration needs of it; nothing
 * is requested of the backend, and no token is issued. Returns 0 where the document has a token route, else 3.
 * @throws TwotokenError `configuration` where there is no such document, `precondition` where its server does not answer
 */
export async function detectFromOpenApi(
  { openapi, config, write, json }: Pick<DetectCommand, 'config' | 'write' | 'json'> & { openapi: string },
  environment: DetectEnvironment,
): Promise<number> {
  const { directory, stdout, stderr } = environment
  const isAddress = /^https?:\/\//i.test(openapi)
  const name = isAddress ? withoutSecrets(openapi) : openapi
  const documented = isAddress
    ? await readFromAddress(openapi, environment)
    : await readFromFile(resolve(directory, openapi), openapi)
  const settings = toSettings(documented)
  const remarks = [
    `found by twotoken detect in ${name}`,
    ...('found' in documented.backend
      ? documented.backend.found.remarks.map((remark) => `backend: ${remark}`)
      : [`backend: nothing detected: ${documented.backend.missing}`]),
    ...listForeignHosts(settings, isAddress ? new URL(name).hostname : null).map(
      (host) => `${host} is named by the document alone: sessions and keys are sent there`,
    ),
  ]
  const shown = json
    ? writeJson({ tool: { name: 'twotoken', version }, ...documented })
    : `${remarks.map((remark) => `# ${onOneLine(remark)}\n`).join('')}${renderFragment(settings)}`
  assertNoSecret('what detect prints', shown, createRedactor())
  stdout.write(shown)
  if (write) await writeSettings(settings, resolve(directory, config ?? 'twotoken.yaml'), stderr)
  return 'found' in documented.backend ? 0 : 3
}

function toSettings({ backend, mint }: Documented): Setting[] {
  const settings: Setting[] = []
  if ('found' in mint) settings.push({ part: 'mint', key: 'url', value: mint.found.url })
  if ('missing' in backend) return settings
  const { url, method, request: carried } = backend.found
  settings.push(
    { part: 'backend', key: 'url', value: url },
    { part: 'backend', key: 'method', value: method },
  )
  if (carried !== undefined) settings.push({ part: 'backend', key: 'request', value: carried })
  return settings
}

/** Hosts of the settings other than the one that the document was read from; a file is from none. */
function listForeignHosts(settings: readonly Setting[], own: string | null): string[] {
  const urls = settings.flatMap(({ key, value }) => (key === 'url' ? [String(value)] : []))
  const hosts = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname)
  return [...new Set(hosts)].filter((host) => host !== own)
}

/** An address without what may be secret in it: a user, a password, a query. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) throw new TwotokenError('usage', '--openapi is no URL: correct it')
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Reads a document with the files beside it, and below, that it refers to. */
async function readFromFile(file: string, name: string): Promise<Documented> {
  const text = await read(file)
  const folder = dirname(await realpath(file))
  return await readOpenApiWhole(text, name, {
    base: pathToFileURL(await realpath(file)),
    async read(address, signal) {
      if (address.protocol !== 'file:') return { refused: 'which is an address, and the document is a file' }
      try {
        const path = await realpath(fileURLToPath(address))
        if (!path.startsWith(folder + sep))
          return { refused: 'which is outside of the folder of the document' }
        const found = await stat(path)
        if (!found.isFile() || found.size > longestDocument)
          return { refused: 'which is no file of up to 16 MB' }
        return { text: await readFile(path, { encoding: 'utf8', signal }) }
      } catch {
        return { refused: 'which cannot be read' }
      }
    },
  })
}

async function read(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > longestDocument)
      throw new TwotokenError(
        'configuration',
        `${file} has more than 16 MB: name the document of the backend alone`,
      )
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof TwotokenError) throw error
    throw new TwotokenError(
      'configuration',
      `${file} cannot be read: correct the path after --openapi`,
      error,
    )
  }
}

/** Reads a document with those of the same origin that it refers to. */
async function readFromAddress(url: string, { variables }: DetectEnvironment): Promise<Documented> {
  const name = withoutSecrets(url)
  const proxy = proxyOf(variables)
  const network = await openNetwork({ tls: {}, proxy })
  const open = (ms: number) =>
    createHttpClient({
      journal: createJournal(),
      redactor: createRedactor(),
      clock: systemClock,
      network,
      deadlineMs: ms,
      bodyBytes: longestDocument,
    })
  await using http = open(deadlineMs)
  await using hasty = open(hastyMs)
  const reply = await get(http, url, { followRedirects: true })
  if (reply.kind === 'no-answer')
    throw new TwotokenError('precondition', `${name} ${reply.message}: correct the URL, or name a file`)
  if (reply.status !== 200)
    throw new TwotokenError(
      'precondition',
      `${name} returned ${reply.status}, expected 200: correct the URL, or name a file`,
    )
  const base = new URL(name)
  return await readOpenApiWhole(reply.body, name, {
    base,
    async read({ origin, href }) {
      if (origin !== base.origin) return { refused: 'which is on another host than the document' }
      const other = await get(hasty, href, { followRedirects: false })
      if (other.kind === 'no-answer') return { refused: `which ${other.message}` }
      return other.status === 200 ? { text: other.body } : { refused: `which returned ${other.status}` }
    },
  } satisfies ReferenceReader)
}

function get(http: HttpClient, url: string, { followRedirects }: { readonly followRedirects: boolean }) {
  return http.send({ to: 'web', method: 'GET', url, headers: [], followRedirects })
}
