import { expect, test } from 'vitest'
import { buildZip } from '../src/testing/build-archives.ts'
import { createRandom, faultOf, hostOf, mutate } from '../src/testing/fuzz.ts'
import { loadSamples, readSample } from './samples.ts'

const seed = 20261121
const mutants = 24
const damaged = /\.(?:dex|hbc|apk|aab|plist|dylib|so|wasm|class|sqlite|map|json)$/

test.each((await loadSamples()).filter(({ file }) => damaged.test(file)))(
  `damaged copies of $file are neither passed over nor do they crash the audit (seed ${seed})`,
  async (sample) => {
    const random = createRandom(seed)
    const bytes = await readSample(sample)
    const host = hostOf(sample.file, bytes, random) ?? {
      name: 'a.zip',
      bytes: buildZip([{ name: sample.file, bytes }]),
      key: 'none is known',
    }
    const faults: string[] = []
    for (let index = 0; index < mutants; index++) {
      const fault = await faultOf(host.name, mutate(host.bytes, random), host.key)
      if (fault !== null) faults.push(`mutant ${index}: ${fault}`)
    }
    expect(faults).toEqual([])
  },
)
