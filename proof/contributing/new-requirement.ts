import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  brokenFile,
  requirementFile,
  roleOf,
  rolePrefixes,
  writeBroken,
  writeRequirement,
} from './requirement-template.ts'

const usage = 'usage: npm run new -- BACK-99 "rejects a request that …"'
const root = join(import.meta.dirname, '../..')

/** Writes the files of a requirement below `folder`, and gives the text for the terminal; throws what to change. */
export function beginRequirement([id = '', title = '']: readonly string[], folder: string): string {
  const role = roleOf(id)
  if (role === null || title.trim() === '') {
    const known = Object.keys(rolePrefixes).join(', ')
    throw new Error(
      `${usage}\nan id begins with ${known}; one of a client begins as a copy of a file in suites/client`,
    )
  }
  const file = requirementFile(role, title)
  if (existsSync(join(folder, file)))
    throw new Error(`${file} is there already; choose a title that says what is different`)
  writeFileSync(join(folder, file), writeRequirement({ id, role, title }))
  writeFileSync(join(folder, brokenFile(file)), writeBroken(role))
  return `wrote ${file}\nwrote ${brokenFile(file)}\nnext: write the probe and the variants that it must catch, then\n      npm run proof -- ${id}\n`
}

if (import.meta.main)
  try {
    process.stdout.write(beginRequirement(process.argv.slice(2), root))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 2
  }
