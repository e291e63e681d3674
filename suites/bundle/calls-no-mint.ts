import { defineCheck } from '../../src/requirement/define.ts'
import { audited, judgeFindings } from './audited.ts'
import { sample } from './sample.ts'

export default defineCheck({
  id: 'PKG-03',
  role: 'bundle',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1'],
  title: 'never calls the mint endpoint itself',
  why: 'The app may only ask its own backend for a token: the mint endpoint wants the server key.',
  how: 'The URLs in every file under bundle.paths are compared with the path of the mint endpoint and bundle.mintHost (or the host of mint.url). The endpoint on that host is a failure; on another, or on one that is put together at run time, a warning.',
  needs: [],
  async run(common, judge) {
    const { findings } = await audited(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'mint-call'),
      'no call of the mint endpoint',
    )
  },
  catches: {
    'mints directly': sample('client-mints'),
    'gives a client the mint as its base': sample('client-with-base'),
    'resolves the path against the mint': sample('client-with-url'),
    'joins the path': sample('client-joins-path'),
    'mints in Hermes bytecode': sample('client-mints-natively'),
    'relays to it percent-encoded': sample('percent-encoded-call'),
    'has the path on an unknown host': { ...sample('unknown-host'), as: 'warn' },
    'has the path on another host': { ...sample('other-host'), as: 'warn' },
  },
})
