import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './lib/audit-bundle.ts'
import { createSample } from './lib/sample.ts'

export default defineCheck({
  id: 'PKG-03',
  role: 'bundle',
  level: 'MUST',
  kind: 'positive',
  clauses: ['4.1'],
  basis: 'The mint endpoint is called by the backend only (4.1).',
  title: 'contains no call to the mint endpoint',
  why: 'The app may request tokens only from its own backend: the mint endpoint requires the server key.',
  how: {
    does: [
      'Compares the URLs in every file under bundle.paths with the path of the mint endpoint and bundle.mintHost (or the host of mint.url).',
    ],
    fails: ['The endpoint on that host.'],
    warns: ["The endpoint's path on another host, or on one assembled at run time."],
  },
  needs: [],
  async run(common, judge) {
    const { findings } = await auditBundle(common)
    judgeFindings(
      judge,
      findings.filter(({ kind }) => kind === 'mint-call'),
      { expected: 'no call to the mint endpoint (4.1)', fix: 'Request tokens from the backend.' },
    )
  },
  catches: {
    'mints directly': createSample('client-mints'),
    'gives a client the mint as its base': { ...createSample('client-with-base'), as: 'warn' },
    'resolves the path against the mint': createSample('client-with-url'),
    'joins the path': createSample('client-joins-path'),
    'mints in Hermes bytecode': createSample('client-mints-natively'),
    'relays to it percent-encoded': createSample('percent-encoded-call'),
    'has the path on an unknown host': { ...createSample('unknown-host'), as: 'warn' },
    'has the path on another host': { ...createSample('other-host'), as: 'warn' },
  },
})
