import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unsupportedNode } from './supported-node.ts'

test.each(['22.22.0', '22.30.1', '24.0.0', '24.21.0', '25.1.0', '26.0.0'])('Node %s will do', (version) => {
  expect(unsupportedNode(version)).toBeNull()
})

test.each(['18.20.8', '20.20.2', '22.12.0', '22.21.9', '23.11.0'])('Node %s will not', (version) => {
  expect(unsupportedNode(version)).toBe(
    `needs Node 22.22 or 24.0 or later, but this is Node ${version}; install a newer version`,
  )
})

test('package.json says the same', async () => {
  const { engines } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
  expect(engines.node).toBe('^22.22.0 || >=24.0.0')
})

test('the command says so in one sentence, before anything else', async () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
  const ended = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(
      process.execPath,
      ['--import', pretend, join(import.meta.dirname, 'main.ts'), 'run'],
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  )
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `twotoken: ${unsupportedNode('20.20.2')}\n`,
  })
})
