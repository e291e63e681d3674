import { describe, expect, it } from 'vitest'
import { complaint, key, mint } from './testing/load.ts'

describe('an unknown key', () => {
  it.each([
    ['mnt: {}', '1: mnt is an unknown key; did you mean "mint"?'],
    [mint('  apikey: x'), '4: mint.apikey is an unknown key; did you mean "apiKey"?'],
    [
      mint(`  keys: { trialended: "\${KEY}" }`),
      'mint.keys.trialended is an unknown key; did you mean "trialEnded"?',
    ],
    [
      mint(`  keys: { capped: { key: "\${KEY}", atested: true } }`),
      'mint.keys.capped.atested is an unknown key; did you mean "attested"?',
    ],
    [
      mint('  keys: { capped: { comand: x } }'),
      'mint.keys.capped.comand is an unknown key; did you mean "command"?',
    ],
    [
      'limits: { requestSecond: 3 }',
      'limits.requestSecond is an unknown key; did you mean "requestSeconds"?',
    ],
    ['load: { maxUsers: 5 }', '1: load was removed: run the Artillery script of examples/load'],
    ['absent: [ { waht: trial, reason: r } ]', 'absent[0].waht is an unknown key; did you mean "what"?'],
  ])('is named with the nearest known one: %s', async (text, expected) => {
    const { message } = await complaint(text, { KEY: key })
    expect(message).toContain(expected)
  })

  it('shows nothing of a credential that was written as a key', async () => {
    const { message } = await complaint(`mint:\n  url: https://a.b\n  apiKey: { ${key}: }\n  ${key}: x\n`)
    expect(message).toContain('mint.apiKey contains an unknown key of 48 characters')
    expect(message).not.toContain(key)
  })
})

describe('all problems', () => {
  it('are reported together in the order of their lines', async () => {
    const { code, message } = await complaint(
      `name: 1\nmint:\n  apiKey: \${NO_KEY}\nlimits:\n  bodyBytes: big\n  colour: red\nwaivers: 3\n`,
    )
    expect(code).toBe('configuration')
    expect(message.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      '6 problems',
      'twotoken.yaml:1: name',
      'twotoken.yaml:2: mint.url',
      'twotoken.yaml:3: mint.apiKey',
      'twotoken.yaml:5: limits.bodyBytes',
      'twotoken.yaml:6: limits.colour',
      'twotoken.yaml:7: waivers',
    ])
  })

  it('show no value of a credential or of the environment', async () => {
    const { message } = await complaint(
      `mint: { url: "\${SECRET}", apiKey: "two\\nlines of ${key}", minTtlSeconds: "\${SECRET}" }\nname: ["${key}"]\n`,
      { SECRET: 'hunter2hunter2' },
    )
    expect(message).toContain(
      `mint.url is text of 14 characters (from \${SECRET}), expected an http or https URL`,
    )
    expect(message).toContain('mint.apiKey is text of')
    expect(message).not.toMatch(/hunter2|ac_live_/)
  })
})
