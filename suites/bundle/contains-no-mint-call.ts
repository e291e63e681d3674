import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './audit-bundle.ts'
import { createSample } from './sample.ts'

export default defineCheck({
  id: 'PKG-03',
  role: 'bundle',
  level: 'MUST',
  clauses: ['4.1'],
  title: 'never calls the mint endpoint itself',
  why: 'The app may only ask its own backend for a token: the mint endpoint wants the server key.',
  how: 'The URLs in every file under bundle.paths are compared with the path of the mint endpoint and bundle.mintHost (or the host of mint.url). The endpoint on that host is a failure; on another, or on one that is put together at run time, a warning.',
  needs: [],
  async run(common, judge) {
    const { findings } = await auditBundle(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'mint-call'),
      'no call of the mint endpoint',
    )
  },
  catches: {
    'mints directly': createSample('client-mints'),
    'gives a client the mint as its base': createSample('client-with-base'),
    'resolves the path against the mint': createSample('client-with-url'),
    'joins the path': createSample('client-joins-path'),
    'mints in Hermes bytecode': createSample('client-mints-natively'),
    'relays to it percent-encoded': createSample('percent-encoded-call'),
    'has the path on an unknown host': { ...createSample('unknown-host'), as: 'warn' },
    'has the path on another host': { ...createSample('other-host'), as: 'warn' },
  },
})
