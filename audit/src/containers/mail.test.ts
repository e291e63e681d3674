import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'
import { buildZip } from '../testing/build-zip.ts'

const settings = (secret: string) => JSON.stringify({ endpoint: 'https://a.example', secret })
const boundary = '----=_Part_1'

/** A mail with a text, and with one more part of some encoding behind it. */
function mailOf(encoding: string, body: string): string {
  return [
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'see the attachment',
    `--${boundary}`,
    'Content-Type: application/octet-stream; name="settings.bin"',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

const inLines = (bytes: Buffer) => (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n')
const zipOf = (text: string) => buildZip([{ name: 'settings.json', bytes: Buffer.from(text) }])

const mails: Readonly<Record<string, (secret: string) => string>> = {
  'a zip': (secret) => mailOf('base64', inLines(zipOf(settings(secret)))),
  'a gzip file': (secret) => mailOf('base64', inLines(gzipSync(settings(secret)))),
  'UTF-16 in base64': (secret) =>
    mailOf('base64', inLines(Buffer.from(`\ufeff${settings(secret)}`, 'utf16le'))),
  'escapes in quoted-printable': (secret) =>
    mailOf(
      'quoted-printable',
      settings(secret)
        .replace(/_/g, '=5F')
        .replace(/(.{40})/g, '$1=\r\n'),
    ),
}

test.each(Object.entries(mails))('finds a key in %s of a mail, and nothing in its twin', async (_, build) => {
  const { findings, gaps } = await auditFiles({
    'key.eml': build(key),
    'twin.mht': build(`pk_test_${key.slice(8)}`),
  })
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
  expect(findings[0]?.location).toContain('dist/key.eml!part 1 settings.bin')
  expect(gaps).toEqual([])
})

test('reports a corrupt attachment, and nothing for a mail that is cut off', async () => {
  const { gaps } = await auditFiles({
    'a.eml': mailOf('base64', inLines(zipOf('a'.repeat(500)).subarray(0, 60))),
    'b.eml': 'Content-Transfer-Encoding: base64',
  })
  expect(gaps.map(({ location }) => location)).toEqual(['dist/a.eml!part 1 settings.bin'])
})
