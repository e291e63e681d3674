import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { TwotokenError } from '../../base/errors.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { assertNoSecret } from '../../base/evidence/scan.ts'
import { createHttpClient } from '../../base/http/client.ts'
import { openNetwork } from '../../base/http/network.ts'
import { proxyOf } from '../../base/http/proxy-settings.ts'
import { onOneLine } from '../../base/printable.ts'
import { version } from '../../base/version.ts'
import { type Documented, readOpenApi } from '../../detect/openapi.ts'
import { renderFragment, type Setting } from '../../detect/write-yaml.ts'
import { writeJson } from '../../reports/escape.ts'
import { type DetectCommand, type DetectEnvironment, writeSettings } from './detect.ts'

const deadlineMs = 30_000
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
  const text = isAddress ? await request(openapi, environment) : await read(resolve(directory, openapi))
  const name = isAddress ? withoutSecrets(openapi) : openapi
  const documented = readOpenApi(text, name, isAddress ? name : null)
  const settings = toSettings(documented)
  const remarks = [
    `found by twotoken detect in ${name}`,
    ...('found' in documented.backend
      ? documented.backend.found.remarks.map((remark) => `backend: ${remark}`)
      : [`backend: nothing detected: ${documented.backend.missing}`]),
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

/** An address without what may be secret in it: a user, a password, a query. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
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

async function request(url: string, { variables }: DetectEnvironment): Promise<string> {
  if (!URL.canParse(url)) throw new TwotokenError('usage', '--openapi is no URL: correct it')
  const name = withoutSecrets(url)
  const proxy = proxyOf(variables)
  const network = await openNetwork({ tls: {}, ...(proxy && { proxy }) })
  await using http = createHttpClient({
    journal: createJournal(),
    redactor: createRedactor(),
    clock: systemClock,
    network,
    deadlineMs,
    bodyBytes: longestDocument,
  })
  const reply = await http.send({ to: 'web', method: 'GET', url, headers: [], followRedirects: true })
  if (reply.kind === 'no-answer')
    throw new TwotokenError('precondition', `${name} ${reply.message}: correct the URL, or name a file`)
  if (reply.status !== 200)
    throw new TwotokenError(
      'precondition',
      `${name} returned ${reply.status}, expected 200: correct the URL, or name a file`,
    )
  return reply.body
}
