import { type Finding, loadAuditInMemory } from '../../../audit/src/api.ts'

/** Server keys in a text, or mint calls in a script, of which an audit is certain. */
export async function findLeaks(
  text: string,
  location: string,
  mintHost?: string,
): Promise<readonly Finding[]> {
  const isScript = /javascript|html|blob|run time|data URL/.test(location)
  const name = isScript ? 'script.js' : location.endsWith('.map') ? 'script.js.map' : 'text.txt'
  const { auditInMemory } = await loadAuditInMemory()
  const { findings } = await auditInMemory(
    { location, name, bytes: Buffer.from(text) },
    mintHost === undefined ? {} : { mintHost },
  )
  return findings.filter(({ level }) => level === 'error')
}

export async function findKeys(text: string, location: string): Promise<readonly Finding[]> {
  return (await findLeaks(text, location)).filter(({ kind }) => kind === 'key')
}
