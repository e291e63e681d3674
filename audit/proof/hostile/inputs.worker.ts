import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hostileCases } from './cases.ts'

/** Asks for the inputs of a case, in place of those of the one before. */
export interface InputsOrder {
  readonly name: string
  readonly folder: string
}

process.on('message', ({ name, folder }: InputsOrder) => {
  rmSync(folder, { recursive: true, force: true })
  const inputs = hostileCases.find((one) => one.name === name)?.inputs ?? []
  const paths = inputs.map(({ file, bytes }, index) => {
    const path = join(folder, `${index}`, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes())
    return path
  })
  process.send?.(paths)
})
