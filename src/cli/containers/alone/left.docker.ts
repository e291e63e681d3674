import { expect, test } from 'vitest'
import { docker } from '../testing/docker.ts'

test('no test has left a container, a network or a volume', async () => {
  const lists = [
    ['ps', '--all'],
    ['network', 'ls'],
    ['volume', 'ls'],
  ]
  const filter = ['--quiet', '--filter', 'label=org.twotoken.owner']
  for (const list of lists) expect(await docker(...list, ...filter)).toBe('')
})
