import { allow } from '../containers/budget.ts'
import { printable } from '../model/location.ts'
import type { Audit } from './context.ts'
import { auditBytes } from './open.ts'
import type { FileInMemory } from './walk-files.ts'

/** One file of an audit that has the bytes in memory. */
export async function auditContents(audit: Audit, { contents, location, name }: FileInMemory): Promise<void> {
  const { buffer, byteOffset, length } = contents
  allow(audit, length)
  const bytes = Buffer.from(buffer, byteOffset, length)
  await auditBytes(audit, { location: printable(location), name, bytes, depth: 0 })
}
