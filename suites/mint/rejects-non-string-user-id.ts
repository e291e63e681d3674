import { defineCheck } from '../../src/requirement/define.ts'
import { noCrash, noToken, rejectRequests } from './lib/reject-requests.ts'

const values: Readonly<Record<string, unknown>> = {
  'no userId': undefined,
  'null as userId': null,
  'an object as userId': { id: 'user' },
  'an empty object as userId': {},
  'an array as userId': ['user'],
  'an empty array as userId': [],
}

/** Parsers of other languages make text of the first two without a loss: "12345", "true". */
const recorded: Readonly<Record<string, unknown>> = {
  'a number as userId': 12_345,
  'true as userId': true,
  'an empty text as userId': '',
}

export default defineCheck({
  id: 'MINT-08',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['2.2'],
  basis: 'userId is required, and is a string (2.2).',
  title: 'rejects a missing or non-string userId',
  why: 'A missing userId that is converted to text gives every caller the same identity, "undefined".',
  how: {
    does: [
      'Between two controls, omits the userId or sends it as null, an object or an array.',
      'The status, and the response to a number, a boolean or an empty string, are recorded: their text loses nothing.',
    ],
    fails: ['A token.'],
    warns: ['A status of 500, since a crash is no rejection.'],
  },
  mints: 4,
  needs: ['mint'],
  async run(parts, judge) {
    const { mint } = parts
    const cases = Object.entries(values).map(([name, userId]) => ({ name, request: { body: { userId } } }))
    const breaches = [noToken('2.2', 'Reject a userId that is not a string.'), noCrash('userId')]
    await rejectRequests(parts, judge, cases, breaches, (tried) =>
      judge.observe('statuses', Object.fromEntries(tried.map(({ one, seen }) => [one.name, seen.status]))),
    )
    const asText = Object.entries(recorded).map(async ([name, userId]) => {
      const reply = await mint.request({ body: { userId }, followRedirects: true, case: name })
      return [name, mint.issuedBy(reply) !== null] as const
    })
    judge.observe('mint.convertsUserIds', Object.fromEntries(await Promise.all(asText)))
  },
})
