import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readClassFile } from './class-file.ts'
import { signsIn } from './fold-class.ts'
import { methodOf } from './jvm.ts'
import { createMostSigns, signsOfCalls } from './most-signs.ts'
import { signsOf } from './worth.ts'

const samples = ['enums', 'collections', 'spelled', 'gathered']

test('a method whose bytes have no signs has none when it is decoded', async () => {
  const counts = { decoded: 0, all: 0 }
  for (const name of samples) {
    const jar = await readFile(join(import.meta.dirname, '../formats/samples', `${name}.jar`))
    for (const bytes of Object.values(unzipSync(jar))) {
      if (bytes[0] !== 0xca) continue
      const file = readClassFile(Buffer.from(bytes))
      const signs = signsOf(file.bytes, file.texts, 'ac_live_')
      const byText = new Map(
        file.texts.map(({ start, end }, index) => [
          file.bytes.toString('utf8', start, end),
          signs[index] ?? 0,
        ]),
      )
      const most = createMostSigns(file, signsOfCalls(file), byText)
      for (const code of file.methods) {
        const method = methodOf(file, code)
        const exact = signsIn(method, byText)
        const { mayTell, stores } = most(code)
        expect(method.steps().filter(({ kind }) => kind === 'store').length).toBeLessThanOrEqual(stores)
        const tells =
          exact.isWorth() || exact.hasPiece() || exact.hasMasked() || exact.isDecoder(() => code.descriptor)
        if (tells) expect(mayTell).toBe(true)
        counts.all += 1
        if (mayTell) counts.decoded += 1
      }
    }
  }
  // These samples put keys together; classes of other programs have fewer such methods by far.
  expect(counts.all).toBeGreaterThan(100)
  expect(counts.decoded).toBeLessThan(counts.all)
})
