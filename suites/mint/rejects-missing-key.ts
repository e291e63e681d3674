import { defineCheck } from '../../src/requirement/define.ts'
import { noToken, rejectRequests, typicalStatus, type WrongRequest } from './lib/reject-requests.ts'

export default defineCheck({
  id: 'MINT-04',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.2'],
  basis: 'The Authorization header with the API key is required (2.2).',
  title: 'rejects requests without an API key',
  why: 'An open mint lets any caller join as any user.',
  how: {
    does: [
      'Between two controls, sends valid requests without an Authorization header, with an empty one, and with the Bearer scheme but no key.',
    ],
    fails: ['A token.'],
    warns: ['A status other than 401 for the missing header.'],
  },
  mints: 2,
  needs: ['mint'],
  async run(parts, judge) {
    const missing = 'no Authorization header'
    const cases: WrongRequest[] = [
      { name: missing, request: { key: null } },
      { name: 'an empty Authorization header', request: { authorization: '' } },
      { name: 'the Bearer scheme and no key', request: { authorization: 'Bearer' } },
      { name: 'the Bearer scheme and an empty key', request: { authorization: 'Bearer ""' } },
    ]
    await rejectRequests(parts, judge, cases, [
      noToken('2.2', 'Check the API key before minting.'),
      typicalStatus(401, (_, { name }) => name !== missing),
    ])
  },
})
