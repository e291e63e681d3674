import { mintContract } from '../../src/contract/mint.ts'
import { defineCheck } from '../../src/requirement/define.ts'

const { prefix } = mintContract.key

export default defineCheck({
  id: 'MINT-18',
  level: 'MUST',
  kind: 'positive',
  clauses: ['2.1.1'],
  basis: 'The API key begins with ac_live_ (2.1.1).',
  title: 'uses the ac_live_ key prefix',
  why: 'Secret scanners, log filters and audits find a leaked key by its prefix.',
  how: {
    does: ['Reads every key in the configuration.'],
    fails: ['A key that does not begin with ac_live_ in lower case, or that ends after the prefix.'],
  },
  needs: ['mint'],
  drives: [],
  async run({ configuration, mint }, judge) {
    const { trialEnded, suspended, capped } = configuration.mint?.keys ?? {}
    const keys = [
      ['mint.apiKey', mint.apiKey],
      ['mint.otherProjectKey', configuration.mint?.otherProjectKey],
      ['mint.keys.trialEnded', trialEnded?.key],
      ['mint.keys.suspended', suspended?.key],
      ['mint.keys.capped', capped?.key],
    ] as const
    for (const [setting, key] of keys) {
      if (key === undefined) continue
      judge.must(key.startsWith(prefix) && key.length > prefix.length, {
        case: setting,
        saw: `a key of ${key.length} characters at ${setting} without the ${prefix} prefix`,
        expected: `${prefix} followed by the key (2.1.1)`,
        fix: `Issue keys with the ${prefix} prefix.`,
      })
    }
  },
})
