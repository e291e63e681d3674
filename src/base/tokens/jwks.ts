import { readFile } from 'node:fs/promises'
import type { JWK } from 'jose'
import type { HttpClient } from '../http/client.ts'
import { ControlLost } from '../inconclusive.ts'
import { isRecord } from './decode.ts'

/** Published keys: from a URL, or from a file; `setting` names it. Throws `ControlLost` when there are none. */
export async function loadJwks(source: string, http: HttpClient, setting = 'token.jwks'): Promise<JWK[]> {
  const json = /^https?:/.test(source)
    ? await fetched(source, http)
    : JSON.parse(await readFile(source, 'utf8'))
  const keys = isRecord(json) ? json['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0) throw new ControlLost(`${setting} contains no keys`)
  return keys.filter(isRecord) as JWK[]
}

async function fetched(url: string, http: HttpClient): Promise<unknown> {
  const reply = await http.send({ to: 'jwks', method: 'GET', url, headers: [], followRedirects: true })
  if (reply.kind === 'no-answer') throw new ControlLost(`the key set ${reply.message}`, [reply.exchange])
  if (reply.status !== 200) throw new ControlLost(`the key set returned ${reply.status}`, [reply.exchange])
  return reply.json
}
