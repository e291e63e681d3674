import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { loadSigningKey, type TestKey } from './signing-key.ts'

const signed = ({ alg, key }: Pick<TestKey, 'alg' | 'key'>) =>
  new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg }).sign(key)

test.each(['PEM', 'JWK'])(
  'a key from a %s file knows its own signatures from those of another key',
  async (form) => {
    const folder = await mkdtemp(join(tmpdir(), 'twotoken-key-'))
    try {
      const [own, other] = await Promise.all([
        generateKeyPair('ES256', { extractable: true }),
        generateKeyPair('ES256'),
      ])
      const file = join(folder, 'key')
      const text =
        form === 'PEM' ? await exportPKCS8(own.privateKey) : JSON.stringify(await exportJWK(own.privateKey))
      await writeFile(file, text)
      const key = await loadSigningKey({ alg: 'ES256', privateKey: file })
      expect(await key.hasSigned(await signed(key))).toBe(true)
      expect(await key.hasSigned(await signed({ alg: 'ES256', key: other.privateKey }))).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('so does a shared secret', async () => {
  const key = await loadSigningKey({ alg: 'HS256', secret: 'a secret of thirty-two characters' })
  const other = new TextEncoder().encode('another secret of 32 characters!')
  expect(await key.hasSigned(await signed(key))).toBe(true)
  expect(await key.hasSigned(await signed({ alg: 'HS256', key: other }))).toBe(false)
})
