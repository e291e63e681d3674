import { expect, test } from 'vitest'
import { createAudit } from '../audit/context.ts'
import { auditBytes } from '../audit/open.ts'
import { defaultFormats } from '../formats/registry.ts'
import { key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-zip.ts'
import type { ContainerFormat } from './container-format.ts'
import { containerFormats, createContainers, defaultContainers } from './registry.ts'

const mark = Buffer.from('\0~\xf1\xf2', 'latin1')
const masked = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a))

/** A mark, and the contents with each byte masked. */
const ownCompression: ContainerFormat = {
  opens: 'contents',
  name: 'masked',
  begins: [mark],
  expand: (name, bytes) =>
    bytes.subarray(0, mark.length).equals(mark)
      ? { name: `${name}.unmasked`, bytes: masked(bytes.subarray(mark.length)) }
      : null,
  openLarge: () => null,
}

test('one more entry is all that another format takes', async () => {
  const bytes = Buffer.concat([mark, masked(Buffer.from(`k="${key}" `))])
  for (const containers of [defaultContainers, createContainers([...containerFormats, ownCompression])]) {
    const isKnown = containers !== defaultContainers
    expect(containers.mayBeOpened('a.bin', bytes)).toBe(isKnown)
    const audit = createAudit({}, { containers, formats: defaultFormats })
    audit.spent.allowed = 1_000_000
    const zip = buildZip([{ name: 'a.bin', bytes }])
    await auditBytes(audit, { location: 'a.zip', name: 'a.zip', bytes: zip, depth: 0 })
    const inside = audit.collector.findings().filter(({ location }) => location.endsWith('!a.bin.unmasked'))
    expect(inside.map(({ rule }) => rule)).toEqual(isKnown ? ['AUD-001'] : [])
  }
})
