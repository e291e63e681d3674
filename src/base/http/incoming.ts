import type { IncomingMessage } from 'node:http'
import { parsePeerJson } from '../parse-peer-json.ts'

/** The headers as they came, names in lower case. */
export function pairsOf(raw: readonly string[]): [string, string][] {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    list.push([(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? ''])
  return list
}

export async function bodyOf(request: IncomingMessage, limit: number): Promise<string> {
  return (await readBody(request, limit)).toString('utf8')
}

export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > limit) throw new Error('a body over the limit')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function parsedJson(text: string): unknown {
  try {
    return parsePeerJson(text)
  } catch {
    return undefined
  }
}
