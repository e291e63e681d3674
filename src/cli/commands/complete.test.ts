import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { createWorkplace } from '../testing/workplace.ts'

const timeout = 600_000

test('completes options and choices, and prints a script that the shell can read', { timeout }, async () => {
  await using place = await createWorkplace({})
  const complete = async (...args: string[]) => {
    const { code, stdout } = await place.start(['complete', ...args]).ended
    expect(code).toBe(0)
    return stdout
  }
  expect(await complete('--', 'verify', '')).toMatch(/^mint\b.*\nbackend\b/)
  expect(await complete('--', 'run', '--wat')).toMatch(/^--watch\t/)
  expect(await complete('--', 'explain', 'MINT-0')).toMatch(/^MINT-01\tthe mint /)
  expect(await complete('--', 'run', '--only', 'SIG-2')).toMatch(/^SIG-20\t/)
  const script = await complete('bash')
  const registered = spawnSync('bash', ['-c', `${script}\ncomplete -p twotoken`], { encoding: 'utf8' })
  expect(registered.stdout).toMatch(/complete -F \S+ twotoken/)
  // As bash calls it, and without the package bash-completion.
  const asked =
    'COMP_WORDS=(twotoken ex) COMP_CWORD=1; twotoken() { "$NODE" "$MAIN" "$@"; }; __twotoken_complete; declare -p COMPREPLY'
  const completed = spawnSync('bash', ['--norc', '-c', `${script}\n${asked}`], {
    encoding: 'utf8',
    env: { ...env, NODE: process.execPath, MAIN: join(import.meta.dirname, '../main.ts') },
  })
  expect(completed.stdout.trim()).toBe('declare -a COMPREPLY=([0]="explore" [1]="explain")')
})

test('a shell that is not known is refused, with those that are', { timeout }, async () => {
  await using place = await createWorkplace({})
  const { code, stderr } = await place.start(['complete', 'tcsh']).ended
  expect(code).toBe(2)
  expect(stderr).toContain('Allowed choices are zsh, bash, fish, powershell')
})
