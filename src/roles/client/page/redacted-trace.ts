import { unzipSync, zipSync } from 'fflate'
import type { Hider } from '../../../base/evidence/hide.ts'
import { hideValues } from '../../../base/evidence/hide-values.ts'
import { isRecord } from '../../../base/tokens/decode.ts'

// A page decides what its trace holds: it must not fill the memory, nor keep the suite busy.
const longestEntry = 64 * 1024 * 1024
const mostBytes = 1024 * 1024 * 1024
const mostEntries = 50_000
const mostDamaged = 20
/** The earliest time that a zip archive can state; a redacted trace tells no time of its own. */
const epoch = new Date(1980, 0, 1)
/** Headers without secrets. What else an app and its servers send each other may be a secret that is not registered. */
const telling =
  /^(?:accept|cache-control|content-|date|host|origin|sec-fetch-|server$|user-agent|access-control-|vary)/i
const logs = /\.(?:trace|network|stacks)$/
const styles = /\.(?:css|png|jpe?g|gif|webp|woff2?|ttf|ico)$/i

interface Entry {
  readonly name: string
  /** Null where it is not kept in any case, cannot be inflated, or is over a bound. */
  readonly bytes: Uint8Array | null
}

/**
 * A Playwright trace in which texts are hidden, and headers, cookies, bodies and queries of its network log are left out. Of what pages loaded it keeps what shows how they looked; `left-out.txt` names the rest.
 * A damaged trace leaves out what cannot be read. Entries are stored, not deflated, so that a scan finds a secret.
 */
export function redactTrace(trace: Uint8Array, hider: Hider): Uint8Array {
  const kept: Record<string, Uint8Array> = {}
  const leftOut: string[] = []
  for (const { name, bytes } of readEntries(trace)) {
    if (bytes === null) {
      leftOut.push(`${name}: page content is not kept`)
      continue
    }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const binary = buffer.toString('latin1')
    if (logs.test(name))
      kept[name] = Buffer.from(hideLog(buffer.toString('utf8'), name.endsWith('.network'), hider))
    else if (hider.own(binary) === binary) kept[name] = bytes
    else leftOut.push(`${name}: it contains a secret`)
  }
  const list = Buffer.from(`${leftOut.join('\n')}\n`)
  return zipSync({ ...kept, 'left-out.txt': list }, { level: 0, mtime: epoch })
}

/** Reads the whole archive at once; where an entry is damaged, it reads the archive again without that one. */
function readEntries(trace: Uint8Array): Entry[] {
  const damaged = new Set<number>()
  for (;;) {
    const seen: { readonly name: string; readonly isRead: boolean }[] = []
    let total = 0
    try {
      const contents = unzipSync(trace, {
        filter({ name, originalSize }) {
          if (seen.length === mostEntries) throw new Error('too many entries for a trace')
          const isKept = logs.test(name) || styles.test(name)
          const fits = originalSize <= longestEntry && total + originalSize <= mostBytes
          const isRead = isKept && fits && !damaged.has(seen.length)
          if (isRead) total += originalSize
          seen.push({ name, isRead })
          return isRead
        },
      })
      return seen.map(({ name, isRead }) => ({ name, bytes: isRead ? (contents[name] ?? null) : null }))
    } catch {
      // Inflating the last one failed, or else the archive has no more that can be listed.
      if (seen.at(-1)?.isRead !== true || damaged.size === mostDamaged)
        return seen.map(({ name }) => ({ name, bytes: null }))
      damaged.add(seen.length - 1)
    }
  }
}

/** A log has one JSON value a line; a line that is none is left out. */
function hideLog(text: string, isNetwork: boolean, hider: Hider): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = parseLine(line)
      const bounded = hideValues(isNetwork ? dropContents(value) : value, (one) => one)
      return `${JSON.stringify(hideTexts(bounded, hider))}\n`
    })
    .join('')
}

/** Fields that the viewer needs to put a trace together and to show how a page looked. */
const structural =
  /^(?:.*Id|id|type|class|method|origin|.*sha1|guid|mimeType|httpVersion|version|browserName|channel|platform|sdkLanguage|doctype|style|_.*)$/i

/** Hides in texts of pages and arguments of calls what a peer has said. */
function hideTexts(value: unknown, hider: Hider, key = ''): unknown {
  if (typeof value === 'string') return structural.test(key) ? hider.sent(value) : hider.text(value)
  if (Array.isArray(value))
    return key === 'html' ? hideElement(value, hider) : value.map((one) => hideTexts(one, hider, key))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [hider.sent(name), hideTexts(one, hider, name)]),
  )
}

/** An element of a snapshot is its name, its attributes and its children; pairs of numbers refer to earlier ones. */
function hideElement(element: unknown, hider: Hider): unknown {
  if (typeof element === 'string') return hider.text(element)
  if (!Array.isArray(element)) return element
  const [name, attributes, ...children] = element
  if (typeof name !== 'string') return element
  return [
    hider.sent(name),
    ...(element.length > 1 ? [hideTexts(attributes, hider)] : []),
    ...children.map((child) => hideElement(child, hider)),
  ]
}

function dropContents(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    if (key === 'cookies' || key === 'queryString') return []
    return value.map((item) => dropContents(item, key))
  }
  if (typeof value === 'string') return key === 'url' ? value.replace(/[?#].*$/s, '') : value
  if (!isRecord(value)) return value
  if (key === 'headers' && typeof value['name'] === 'string' && !telling.test(value['name']))
    return { name: value['name'], value: '(not recorded)' }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'postData')
      .map(([name, inner]) => [name, dropContents(inner, name)]),
  )
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}
