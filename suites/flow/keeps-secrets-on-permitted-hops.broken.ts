import type { BrokenVariants, Catch } from '../../src/requirement/define.ts'
import { longestPart } from '../backend/lib/find-sole-parts.ts'
import { rows } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

/** Mistakes of a backend, one a row. */
const wrong: Readonly<Record<string, NonNullable<Catch['backend']>>> = {
  'the backend forwards the session to the mint': {
    mintCall: (usual, { inbound }) => ({
      ...usual,
      headers: { ...usual.headers, 'x-forwarded-authorization': inbound.headers.authorization ?? '' },
    }),
  },
  'the backend forwards the session to the mint in base64': {
    mintCall: (usual, { inbound }) => ({
      ...usual,
      path: `${usual.path}?trace=${Buffer.from(inbound.headers.authorization ?? '').toString('base64url')}`,
    }),
  },
  'the backend sends the mint the part of the session that its login looks at': {
    recall: async (token, { byToken }, usual) =>
      (await usual()) ?? [...byToken].find(([known]) => longestPart(known) === token)?.[1] ?? null,
    mintCall: (usual, { inbound }) => ({
      ...usual,
      headers: {
        ...usual.headers,
        'x-trace': longestPart(inbound.headers.authorization?.slice('Bearer '.length) ?? ''),
      },
    }),
  },
  'the backend puts its key into the address': {
    mintCall: (usual, { apiKey }) => ({ ...usual, path: `${usual.path}?api_key=${apiKey}` }),
  },
  'the backend sends its key in a second header': {
    mintCall: (usual, { apiKey }) => ({ ...usual, headers: { ...usual.headers, 'x-debug': apiKey } }),
  },
  'the backend hands the session of another user to the app': { answer: rememberingAnswer() },
}

export const broken: BrokenVariants = {
  ...rows(wrong, (backend) => ({ backend })),
}

/** A backend that shows every caller the sessions of earlier callers. */
function rememberingAnswer() {
  const seen: string[] = []
  return (usual: { status: number }, { headers }: { headers: { authorization?: string } }) => {
    const visitors = Buffer.from(seen.join()).toString('base64')
    seen.push(headers.authorization?.slice('Bearer '.length) ?? '')
    return jsonAnswer(usual.status, { error: 'busy', visitors })
  }
}
