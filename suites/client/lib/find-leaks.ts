import { type Finding, loadAuditTexts } from '../../../audit/src/api.ts'
import type { CapturedText } from '../../../src/roles/client/types.ts'

/** Texts of a client, and what an audit is certain of in each. */
export interface Searched {
  readonly capture: CapturedText
  readonly leaks: readonly Finding[]
  /** Why it was not read whole; null where it was. */
  readonly unread: string | null
}

/**
 * Server keys in texts, and mint calls in scripts. Threads read them: a text that would never be read to its end is given up,
 * and the process that judges goes on meanwhile.
 */
export async function findLeaks(
  captures: readonly CapturedText[],
  mintHost?: string,
): Promise<readonly Searched[]> {
  const { auditTexts } = await loadAuditTexts()
  const texts = captures.map(({ name, text }) => ({ name: fileNameOf(name), bytes: Buffer.from(text) }))
  const audited = await auditTexts(texts, mintHost === undefined ? {} : { mintHost })
  return captures.map((capture, index) => {
    const { findings, unread } = audited[index] ?? { findings: [], unread: 'not audited' }
    return { capture, leaks: findings.filter(({ level }) => level === 'error'), unread }
  })
}

function fileNameOf(location: string): string {
  if (/javascript|html|blob|run time|data URL/.test(location)) return 'script.js'
  return location.endsWith('.map') ? 'script.js.map' : 'text.txt'
}
