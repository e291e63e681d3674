import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requirementFile, roleOf, rolePrefixes, writeRequirement } from './requirement-template.ts'

const usage = 'usage: npm run new -- BACK-99 "rejects a request that …"'
const root = join(import.meta.dirname, '../..')

function main([id = '', title = '']: readonly string[]): number {
  const role = roleOf(id)
  if (role === null || title.trim() === '') {
    const known = Object.keys(rolePrefixes).join(', ')
    process.stderr.write(
      `${usage}\nan id begins with ${known}; one of a client begins as a copy of a file in suites/client\n`,
    )
    return 2
  }
  const file = requirementFile(role, title)
  if (existsSync(join(root, file))) {
    process.stderr.write(`${file} is there already; choose a title that says what is different\n`)
    return 2
  }
  writeFileSync(join(root, file), writeRequirement({ id, role, title }))
  process.stdout.write(
    [
      `wrote ${file}`,
      'next: write its probe and what it must catch, then',
      `      npm run proof -- ${id}`,
      '',
    ].join('\n'),
  )
  return 0
}

process.exitCode = main(process.argv.slice(2))
