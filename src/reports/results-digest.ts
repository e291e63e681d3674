import { createHash } from 'node:crypto'

/** The digest of a text or of bytes as in-toto writes it. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * The digest of results: SHA-256 over their canonical JSON (RFC 8785) without the field `digest` itself, so that neither the
 * order of keys nor the indentation counts.
 */
export function digestOf({ digest: _, ...content }: Readonly<Record<string, unknown>>): string {
  return sha256(canonicalJson(content))
}

/** Values that JSON leaves out are left out here too: results before they are written have the same digest. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  // In the order of UTF-16 code units, as the RFC has it.
  return `{${fields
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`)
    .join()}}`
}
