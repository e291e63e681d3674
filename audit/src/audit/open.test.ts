import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { defaultContainers } from '../containers/registry.ts'
import { defaultFormats } from '../formats/registry.ts'
import { auditInMemory, key } from '../testing/audit-files.ts'
import { buildAsar, buildTar, buildZip } from '../testing/build-archives.ts'
import { buildMachO } from '../testing/build-binary.ts'
import { createAudit } from './context.ts'
import { auditBytes } from './open.ts'
import { auditTexts } from './texts.ts'

const text = Buffer.from('some bytes '.repeat(200))
const tar = buildTar({ a: text })
const machO = buildMachO([{ name: '__cstring', bytes: text }], { cryptid: 1 })
const map = '{"version":3,"sources":["a.js"],"mappings":""}'
const inline = `f()//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
const encryptedZip = buildZip([{ name: 'x', bytes: text, flags: 1, crc: 1 }])
/** The first bytes of a format that states its length in a header, and less than that. */
const cutOff = (head: string, lengthAt: number) => {
  const bytes = Buffer.alloc(200)
  bytes.write(head, 'hex')
  bytes.writeUInt32LE(1000, lengthAt)
  return bytes
}
const isoImage = Buffer.concat([Buffer.alloc(0x8001), Buffer.from('CD001'), Buffer.alloc(2048)])

// Nothing that is looked for is in any of them.
test.each<[rule: string, kind: string, name: string, bytes: Buffer | string]>([
  ['AUD-030', 'an environment file', '.env.production', 'A=1'],
  ['AUD-030', 'a source map by its name', 'a.js.map', `{"file":"${'-'.repeat(3000)}","mappings":""}`],
  ['AUD-030', 'a source map by its beginning', 'a.txt', map],
  ['AUD-030', 'a script with a source map', 'a.js', inline],
  ['AUD-090', 'a file encrypted by OpenSSL', 'a', 'Salted__12345678'],
  ['AUD-090', 'a file encrypted by PGP', 'a', '-----BEGIN PGP MESSAGE-----'],
  ['AUD-090', 'a file encrypted by age', 'a', 'age-encryption.org/v1'],
  ['AUD-090', 'a zip behind other data', 'a', Buffer.concat([text, encryptedZip])],
  ['AUD-091', 'a tar archive', 'a', tar.subarray(0, 600)],
  ['AUD-091', 'an asar archive', 'a', buildAsar({ files: { a: { offset: '-1', size: 9 } } }, text)],
  ['AUD-091', 'gzip', 'a', gzipSync(text).subarray(0, -4)],
  ['AUD-091', 'brotli by its name', 'a.br', text],
  ['AUD-091', 'brotli by its whole name', 'a.brotli', text],
  ['AUD-091', 'a compressed assembly', 'a', 'XALZ____\xff\0\0\0'],
  ['AUD-091', 'a Unity bundle', 'a', 'UnityFS\0'],
  ['AUD-092', 'an ISO image', 'a', isoImage],
  ['AUD-094', 'a program encrypted for the store', 'App', machO],
  ['AUD-096', 'DEX that is cut off', 'a', cutOff('6465780a30333500', 32)],
  ['AUD-096', 'Hermes bytecode that is cut off', 'a', cutOff('c61fbc03c103191f60000000', 32)],
  ['AUD-096', 'resources that are cut off', 'a', cutOff('02000c00', 4)],
  ['AUD-096', 'binary XML that is cut off', 'a', cutOff('03000800', 4)],
])('%s: %s is no file to pass over', async (rule, _, name, content) => {
  const bytes = Buffer.from(content as string, 'latin1')
  const { findings, gaps } = await auditInMemory({ location: name, name, bytes })
  expect([...findings, ...gaps].map((one) => one.rule)).toContain(rule)
})

test.each<[string, Buffer]>([
  ['a.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40_000)])],
  ['zeros', Buffer.alloc(70_000)],
  ['P', Buffer.from('P')],
  ['a.js', Buffer.from('export const a = 1')],
])('%s is passed over: its format is not asked for', async (name, bytes) => {
  const formatOf = () => expect.fail('its format was asked for')
  const formats = { ...defaultFormats, formatOf }
  const audit = createAudit({}, { containers: defaultContainers, formats })
  await auditBytes(audit, { location: name, name, bytes, depth: 0 })
  expect(audit.collector.gaps()).toEqual([])
})

const secret = { name: 'script.js', bytes: Buffer.from(`const key = "${key}"`) }

test('each text has its own findings, also where two are the same', async () => {
  const audited = await auditTexts([secret, { name: 'text.txt', bytes: Buffer.from('nothing') }, secret])
  expect(audited.map(({ findings }) => findings.map(({ kind, line }) => `${kind} ${line}`))).toEqual([
    ['key 1'],
    [],
    ['key 1'],
  ])
  expect(audited.map(({ unread }) => unread)).toEqual([null, null, null])
})

test('the name of a text is not searched', async () => {
  expect(await auditTexts([{ name: `${key}.js`, bytes: Buffer.from('1') }])).toEqual([
    { findings: [], unread: null },
  ])
})
