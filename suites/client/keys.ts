import { auditInMemory, type Finding } from '../../src/audit/api.ts'

/** What an audit would find of server keys in a text, or of calls of the mint in a script; only what it is sure of. */
export async function leaksIn(
  text: string,
  location: string,
  mintHost?: string,
): Promise<readonly Finding[]> {
  const isScript = /javascript|html|blob|run time|data URL/.test(location)
  const name = isScript ? 'script.js' : location.endsWith('.map') ? 'script.js.map' : 'text.txt'
  const { findings } = await auditInMemory(
    { location, name, bytes: Buffer.from(text) },
    mintHost === undefined ? {} : { mintHost },
  )
  return findings.filter(({ level }) => level === 'error')
}

export async function keysIn(text: string, location: string): Promise<readonly Finding[]> {
  return (await leaksIn(text, location)).filter(({ kind }) => kind === 'key')
}
