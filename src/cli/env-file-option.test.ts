import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempFolder } from '../base/temp-folder.ts'
import { runCommand } from './testing/run-command.ts'

async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await openTempFolder()
  const url = 'http://127.0.0.1:9'
  const written = JSON.stringify({ mint: { url, apiKey: '$' + '{KEY}' } })
  for (const [name, text] of Object.entries({ 'twotoken.yaml': written, ...files }))
    await writeFile(join(folder.path, name), text)
  return folder
}

test('a file of values that is missing is one sentence, and wrong usage', async () => {
  await using folder = await folderWith({})
  const { code, stderr } = await runCommand(['doctor', '--env', 'no.env'], folder.path)
  expect(stderr).toMatch(/^twotoken: .*no\.env cannot be read: name a file with lines NAME=value\n$/)
  expect(code).toBe(2)
})

test.each(['--env', '--env-file'])('%s names a file of values', async (option) => {
  await using folder = await folderWith({ 'staging.env': 'KEY=a-session\n' })
  const { stderr } = await runCommand(['doctor', option, 'staging.env'], folder.path)
  expect(stderr).not.toContain('needs the environment variable')
})
