import { foldWhereWorth } from '../javascript/fold-where-worth.ts'
import type { Audit } from '../settings.ts'
import { exposed } from './exposure.ts'
import { auditSourceMap } from './source-map.ts'

interface Script {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  readonly isCertain?: boolean
}

const inlineMap = /sourceMappingURL=data:application\/json[^,\s]{0,64};base64,([A-Za-z0-9+/=]+)/g
const inlineScript = /<script\b([^>]*)>([\s\S]*?)<\/script/gi
const handler = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi

/** JavaScript in a file of its own or inside HTML, and the source maps inside it. */
export async function auditScripts(
  audit: Audit,
  { location, format, bytes, isCertain = false }: Script,
): Promise<void> {
  if (format === 'html') return await auditPage(audit, location, bytes)
  if (format !== 'javascript') return
  await foldWhereWorth(audit, { location, format, bytes, base: 0, isCertain })
  await auditInlineMaps(audit, location, format, bytes)
}

async function auditPage(audit: Audit, location: string, bytes: Buffer): Promise<void> {
  const text = bytes.toString('latin1')
  const fold = (start: number, end: number, isCertain: boolean) =>
    foldWhereWorth(audit, {
      location,
      format: 'html',
      bytes: bytes.subarray(start, end),
      base: start,
      file: bytes,
      isCertain,
    })
  for (const match of text.matchAll(inlineScript)) {
    const [whole, attributes = '', script = ''] = match
    const [, type = 'text/javascript'] = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes) ?? []
    if (!/^(?:module|(?:text|application)\/(?:javascript|ecmascript|babel|jsx))?$/i.test(type)) continue
    const start = match.index + whole.indexOf('>') + 1
    await fold(start, start + script.length, !/babel|jsx/i.test(type))
  }
  for (const { indices } of text.matchAll(handler)) {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0]
    await fold(start, end, false)
  }
  await auditInlineMaps(audit, location, 'html', bytes)
}

async function auditInlineMaps(audit: Audit, location: string, format: string, bytes: Buffer): Promise<void> {
  if (!bytes.includes('sourceMappingURL=data:')) return
  for (const match of bytes.toString('latin1').matchAll(inlineMap))
    if (await auditSourceMap(audit, location, Buffer.from(match[1] ?? '', 'base64')))
      exposed(audit, location, format, 'an inline source map')
}
