import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import loadWabt from 'wabt'

const kernel = join(import.meta.dirname, '..')

/** The module that belongs into `bytes.ts`, from the kernel's source. */
export async function kernelModule(): Promise<string> {
  const { parseWat } = await loadWabt()
  const source = readFileSync(join(kernel, 'kernel.wat'), 'utf8')
  const module = parseWat('kernel.wat', source, { simd: true, relaxed_simd: true })
  try {
    const lines = Buffer.from(module.toBinary({}).buffer)
      .toString('base64')
      .match(/.{1,100}/g)
    const text = (lines ?? []).map((line) => `  '${line}',`).join('\n')
    return `// Assembled from kernel.wat by testing/build-kernel.ts; a test compares the two.\nexport const kernelBase64 = [\n${text}\n].join('')\n`
  } finally {
    module.destroy()
  }
}

if (import.meta.main) writeFileSync(join(kernel, 'bytes.ts'), await kernelModule())
