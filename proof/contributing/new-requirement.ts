import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import {
  brokenFile,
  requirementFile,
  roleOf,
  rolePrefixes,
  writeBroken,
  writeRequirement,
} from './requirement-template.ts'

const usage = 'usage: npm run new -- BACK-99 "rejects a request that …"'
/** A title in a list is read at a glance. */
const mostWords = 10
const root = join(import.meta.dirname, '../..')

/** Writes the files of a requirement below `folder`, and gives the text for the terminal; throws what to change. */
export async function beginRequirement(
  [id = '', title = '']: readonly string[],
  folder: string,
): Promise<string> {
  const role = roleOf(id)
  if (role === null || title.trim() === '') {
    const known = Object.keys(rolePrefixes).join(', ')
    throw new Error(
      `${usage}\nan id begins with ${known}; one of a client begins as a copy of a file in suites/client`,
    )
  }
  if (!/^(?:never )?[a-z]+s\b.*[^.!]$/.test(title) || title.split(' ').length > mostWords)
    throw new Error(
      `${title} does not complete "the ${role} …" in at most ${mostWords} words, as "rejects long ids" does`,
    )
  const used = (await loadCatalogue([role], join(folder, 'suites'))).map((check) => check.id)
  if (used.includes(id)) {
    const next = Math.max(...used.map((one) => Number(one.split('-')[1]))) + 1
    throw new Error(`another requirement has ${id}; ${id.split('-')[0]}-${next} is free`)
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
    process.stdout.write(await beginRequirement(process.argv.slice(2), root))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 2
  }
