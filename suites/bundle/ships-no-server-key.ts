import { defineCheck } from '../../src/check/check.ts'
import { audited, judgeFindings } from './audited.ts'
import { sample } from './sample.ts'

export default defineCheck({
  id: 'PKG-01',
  role: 'bundle',
  level: 'MUST',
  clauses: ['2.1.1'],
  title: 'ships no server key',
  why: 'Whoever has the app has every byte of it: with the key inside, anybody can mint for anybody.',
  how: 'Every file under bundle.paths is read, through containers, formats and encodings; constant expressions of scripts are folded. A key is a failure; what only resembles one, and a bare prefix, are warnings.',
  needs: [],
  async run(common, judge) {
    const { findings } = await audited(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'key' || kind === 'prefix'),
      'no server key, in any form',
    )
  },
  catches: {
    'inlined by the bundler': sample('inlined'),
    'in the source map alone': sample('source-map'),
    'split into pieces': sample('split'),
    'in base64': sample('base64'),
    'shaped weakly': { ...sample('weak'), as: 'warn' },
  },
})
