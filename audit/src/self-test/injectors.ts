import type { AuditedFormat } from '../formats/audited-format.ts'
import { auditedFormats } from '../formats/registry.ts'
import type { Injector } from './injector.ts'

const surest: readonly Injector['by'][] = ['mark', 'name', 'contents']

/** The injectors of all formats: the first that recognises a file takes it. */
export async function loadInjectors(
  formats: readonly AuditedFormat[] = auditedFormats,
): Promise<readonly Injector[]> {
  const loaded = await Promise.all(formats.map((format) => format.injectors()))
  return loaded.flat().sort((a, b) => surest.indexOf(a.by) - surest.indexOf(b.by))
}
