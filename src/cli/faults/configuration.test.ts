import { expect, test } from 'vitest'
import { createWorkplace } from '../testing/workplace.ts'

// Mistakes in the words of a user: exit 2, one clear sentence, nothing judged.
const usable = { mint: { url: 'http://127.0.0.1:9', apiKey: 'ac_live_made_up_for_a_test' } }

const cases: readonly [name: string, configuration: unknown, args: string, sentence: RegExp][] = [
  ['a configuration that is no YAML', 'mint: [', '', /twotoken\.yaml:\d+/],
  ['a misspelt key', { mnt: usable.mint }, '', /mnt.*did you mean mint|mnt.*\bmint\b/],
  ['an unknown id', usable, '--only MINT-4', /--only: unknown requirement "MINT-4".*did you mean MINT-\d+/],
  ['an unknown option', usable, '--olny MINT-01', /unknown option '--olny'.*--only/s],
  ['a choice that leaves nothing', usable, '--suite signaling --only MINT-01', /no requirement matches/],
  ['an --out that is a file', usable, '--out twotoken.yaml', /--out .*twotoken\.yaml cannot be written/],
]

test.concurrent.each(cases)('%s is exit 2 and a sentence', async (_, configuration, args, sentence) => {
  await using place = await createWorkplace(configuration)
  const { code, stdout, stderr } = await place.start(['run', ...args.split(' ').filter(Boolean)]).ended
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  await expect(place.results()).rejects.toThrow('ENOENT')
})
