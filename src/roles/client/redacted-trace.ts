import type { Redactor } from '../../base/evidence/redact.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { zipContents } from './zip-contents.ts'
import { type NamedBytes, zipOf } from './zip-of.ts'

const longestEntry = 64 * 1024 * 1024
/** What an app and its servers say to each other may hold secrets that nobody here knows. */
const telling =
  /^(?:accept|cache-control|content-|date|host|origin|sec-fetch-|server$|user-agent|access-control-|vary)/i
const styles = /\.(?:css|html|svg|png|jpe?g|gif|webp|woff2?|ttf|ico)$/i

/**
 * A Playwright trace without secrets: what is known is redacted everywhere, and headers, cookies, bodies and queries of
 * its network log are left out. Of what pages loaded it keeps what shows how they looked; `left-out.txt` names the rest.
 */
export function redactedTrace(trace: Buffer, redactor: Redactor): Buffer {
  const kept: NamedBytes[] = []
  const leftOut: string[] = []
  for (const { name, bytes } of zipContents(trace, longestEntry)) {
    const isLog = /\.(?:trace|network|stacks)$/.test(name)
    if (bytes === null || !(isLog || styles.test(name))) {
      leftOut.push(`${name}: what a page loaded or sent is not kept`)
      continue
    }
    const text = bytes.toString('utf8')
    if (isLog) kept.push({ name, bytes: Buffer.from(redactor.text(lines(text, name.endsWith('.network')))) })
    else if (redactor.text(bytes.toString('latin1')) === bytes.toString('latin1')) kept.push({ name, bytes })
    else leftOut.push(`${name}: it holds a secret`)
  }
  return zipOf([...kept, { name: 'left-out.txt', bytes: Buffer.from(`${leftOut.join('\n')}\n`) }])
}

function lines(text: string, isNetwork: boolean): string {
  if (!isNetwork) return text
  return text
    .split('\n')
    .map((line) => (line === '' ? line : JSON.stringify(withoutContents(parsed(line)))))
    .join('\n')
}

function withoutContents(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    if (key === 'cookies' || key === 'queryString') return []
    return value.map((item) => withoutContents(item, key))
  }
  if (typeof value === 'string') return key === 'url' ? value.replace(/[?#].*$/s, '') : value
  if (!isRecord(value)) return value
  if (key === 'headers' && typeof value['name'] === 'string' && !telling.test(value['name']))
    return { name: value['name'], value: '(not recorded)' }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'postData')
      .map(([name, inner]) => [name, withoutContents(inner, name)]),
  )
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}
