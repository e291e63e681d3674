import { defineCheck } from '../../src/check/check.ts'
import { audited, judgeFindings } from './audited.ts'
import { sample } from './sample.ts'

export default defineCheck({
  id: 'PKG-02',
  role: 'bundle',
  level: 'MUST',
  clauses: ['4.4'],
  title: 'ships no calling JWT',
  why: 'A test token that is hard-coded is one that every user shares.',
  how: 'Every JWT under bundle.paths is read by its header and claims. One that speaks of calling, or that carries a user and lives less than a day, is a failure, and a warning once it has expired; others are counted.',
  needs: [],
  async run({ configuration }, judge) {
    const { findings } = await audited(configuration)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'jwt'),
      'no calling JWT',
    )
  },
  catches: {
    'pasted from the console': sample('test-token'),
  },
})
