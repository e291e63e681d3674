import { defineCheck } from '../../src/requirement/define.ts'
import { auditBundle, judgeFindings } from './lib/audit-bundle.ts'

export default defineCheck({
  id: 'PKG-03',
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
})
