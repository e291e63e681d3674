import { foldScript } from '../javascript/fold-script.ts'
import type { Audit } from '../settings.ts'
import { exposed } from './exposure.ts'
import { auditSourceMap } from './source-map.ts'

interface Script {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
}

const inlineMap = /sourceMappingURL=data:application\/json[^,\s]{0,64};base64,([A-Za-z0-9+/=]+)/g

/** JavaScript in a file of its own or inside HTML, and the source maps inside it. */
export function auditScripts(audit: Audit, { location, format, bytes }: Script): void {
  if (format === 'html') {
    const text = bytes.toString('latin1')
    for (const match of text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script/gi)) {
      const start = match.index + match[0].indexOf('>') + 1
      const script = bytes.subarray(start, start + (match[1]?.length ?? 0))
      foldScript(audit, { location, format, bytes: script, base: start })
    }
  }
  if (format !== 'javascript') return
  foldScript(audit, { location, format, bytes, base: 0 })
  if (!bytes.includes('sourceMappingURL=data:')) return
  for (const match of bytes.toString('latin1').matchAll(inlineMap))
    if (auditSourceMap(audit, location, Buffer.from(match[1] ?? '', 'base64')))
      exposed(audit, location, format, 'an inline source map')
}
