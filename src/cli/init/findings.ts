import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { parse } from 'yaml'
import { isRecord } from '../../base/tokens/decode.ts'

/** Facts that a folder and this machine show about an implementation, before the first question. */
export interface Findings {
  /** Names of variables in `.env` files; their values are never read. */
  readonly variables: readonly string[]
  readonly composeFile: string | null
  /** Addresses that an OpenAPI description gives, with the file that says so. */
  readonly mintUrl: Suggestion | null
  readonly backendUrl: Suggestion | null
  /** Open ports of this machine, among those that are common in development. */
  readonly ports: readonly number[]
}

interface Suggestion {
  readonly url: string
  readonly from: string
}

const composeFiles = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
const descriptions = /^(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$/i
const mintPath = '/api/v1/calling/token'
const commonPorts = [3000, 3001, 4000, 5000, 5173, 8000, 8080, 8081, 8443, 8787, 9000, 9090]
const longestFile = 1_048_576

export async function inspectFolder(directory: string): Promise<Findings> {
  const files = await readdir(directory).catch((): string[] => [])
  const variables = await Promise.all(
    files
      .filter((file) => /^\.env(?:\.[\w.-]+)?$/.test(file))
      .map((file) => readVariableNames(join(directory, file))),
  )
  const described = await Promise.all(
    files.filter((file) => descriptions.test(file)).map((file) => readAddresses(join(directory, file), file)),
  )
  const listening = await Promise.all(
    commonPorts.map(async (port) => ((await isListening(port)) ? [port] : [])),
  )
  return {
    variables: [...new Set(variables.flat())],
    composeFile: composeFiles.find((file) => files.includes(file)) ?? null,
    mintUrl: described.map(({ mint }) => mint).find((url) => url !== null) ?? null,
    backendUrl: described.map(({ backend }) => backend).find((url) => url !== null) ?? null,
    ports: listening.flat(),
  }
}

async function readVariableNames(file: string): Promise<string[]> {
  const text = await readText(file)
  return [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/gm)].map(
    ([, name = '']) => name,
  )
}

/** Where an OpenAPI description says that the mint, or a token route of a backend, is. */
async function readAddresses(
  file: string,
  name: string,
): Promise<{ readonly mint: Suggestion | null; readonly backend: Suggestion | null }> {
  const nothing = { mint: null, backend: null }
  const document = parseYaml(await readText(file))
  if (!isRecord(document) || !isRecord(document['paths'])) return nothing
  const servers = Array.isArray(document['servers']) ? document['servers'] : []
  const first: unknown = servers[0]
  const base =
    isRecord(first) && typeof first['url'] === 'string' ? first['url'].replace(/(?<!\/)\/+$/, '') : ''
  if (!URL.canParse(base)) return nothing
  const paths = Object.keys(document['paths'])
  const route = paths.find(
    (path) => path !== mintPath && /\/(?:calling\/token|token\/calling|calling-token)$/.test(path),
  )
  return {
    mint: paths.includes(mintPath) ? { url: base, from: name } : null,
    backend: route === undefined ? null : { url: base + route, from: name },
  }
}

async function readText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.length > longestFile ? '' : text
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' })
  } catch {
    return null
  }
}

/** Only whether a connection comes about: nothing is sent. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 300 })
    const settle = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}
