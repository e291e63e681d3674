import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../../src/base/temp-folder.ts'
import { describeConformance } from '../../src/cli/embedded/vitest.ts'

// All suites but the client's against the reference, as users run them inside their own tests.

const reference = await startReference({ withBundle: true })
const folder = await openTempFolder()
const config = join(folder.path, 'twotoken.yaml')
await writeFile(config, JSON.stringify(reference.written))
afterAll(async () => {
  await reference[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

describeConformance({ config })
