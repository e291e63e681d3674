import { type Finding, loadApart } from '../../../audit/src/api.ts'
import type { CapturedText } from '../../../src/roles/client/types.ts'

/** Texts of a client, and what an audit is certain of in each. */
export interface Searched {
  readonly capture: CapturedText
  readonly leaks: readonly Finding[]
  /** The prefix of a key, bare or in pieces. */
  readonly hints: readonly Finding[]
  /** Why it was not read whole; null where it was. */
  readonly unread: string | null
}

/** Server keys in texts, and mint calls in scripts. A thread reads them: the process that judges goes on meanwhile. */
export async function findLeaks(
  captures: readonly CapturedText[],
  mintHost?: string,
): Promise<readonly Searched[]> {
  const { auditTextsApart } = await loadApart()
  const texts = captures.map(({ name, text }) => ({ name: fileNameOf(name), bytes: Buffer.from(text) }))
  const audited = await auditTextsApart(texts, mintHost === undefined ? {} : { mintHost })
  return captures.map((capture, index) => {
    const { findings, unread } = audited[index] ?? { findings: [], unread: 'not audited' }
    const leaks = findings.filter(({ level }) => level === 'error')
    return { capture, leaks, hints: findings.filter(({ kind }) => kind === 'prefix'), unread }
  })
}

function fileNameOf(location: string): string {
  if (/javascript|html|blob|run time|data URL/.test(location)) return 'script.js'
  return location.endsWith('.map') ? 'script.js.map' : 'text.txt'
}
