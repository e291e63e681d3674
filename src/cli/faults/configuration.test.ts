import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorkplace, livingIn } from '../testing/workplace.ts'

// Mistakes in the words of a user: exit 2, one clear sentence, nothing judged.
const usable = { mint: { url: 'http://127.0.0.1:9', apiKey: 'ac_live_made_up_for_a_test' } }
const mintWithKey = (apiKey: unknown) => ({ mint: { ...usable.mint, apiKey } })

const cases: readonly [name: string, configuration: unknown, args: string, sentence: RegExp][] = [
  [
    'a configuration that is not there',
    usable,
    '--config nowhere.yaml',
    /nowhere\.yaml cannot be read: the file does not exist/,
  ],
  ['a configuration that is no YAML', 'mint: [', '', /twotoken\.yaml:\d+/],
  ['a misspelt key', { mnt: usable.mint }, '', /mnt.*did you mean mint|mnt.*\bmint\b/],
  ['an unknown id', usable, '--only MINT-4', /--only: unknown requirement "MINT-4".*did you mean MINT-\d+/],
  ['an unknown option', usable, '--olny MINT-01', /unknown option '--olny'.*--only/s],
  ['a choice that leaves nothing', usable, '--suite signaling --only MINT-01', /no requirement matches/],
  ['an --out that is a file', usable, '--out twotoken.yaml', /--out .*twotoken\.yaml cannot be written/],
]

test.concurrent('a credential command that hangs is given up after 10 s, and does not stay behind', async () => {
  await using place = await createWorkplace(mintWithKey({ command: 'echo $$ > pid; sleep 3600' }))
  const { code, stderr } = await place.start(['run']).ended
  expect(stderr).toMatch(/mint\.apiKey has a command that did not exit within 10 s/)
  expect(code).toBe(2)
  const pid = Number(await readFile(join(place.folder, 'pid'), 'utf8'))
  expect(await livingIn(pid)).toEqual([])
})

test.concurrent.each(cases)('%s is exit 2 and a sentence', async (_, configuration, args, sentence) => {
  await using place = await createWorkplace(configuration)
  const { code, stdout, stderr } = await place.start(['run', ...args.split(' ').filter(Boolean)]).ended
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  await expect(place.results()).rejects.toThrow('ENOENT')
})
