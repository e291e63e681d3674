import type { BrokenVariants } from '../../src/requirement/define.ts'
import {
  type Backend,
  calling,
  callingWithHeaders,
  jsonAnswer,
  sendingLongestPart,
  sentBearer,
} from '../backend/lib/variants.ts'

export const broken: BrokenVariants = {
  'the backend forwards the session to the mint': callingWithHeaders((details) => ({
    'x-forwarded-authorization': sentBearer(details),
  })),
  'the backend forwards the session to the mint in base64': calling(({ path }, details) => ({
    path: `${path}?trace=${Buffer.from(sentBearer(details)).toString('base64url')}`,
  })),
  'the backend sends the mint the part of the session that its login looks at': sendingLongestPart(),
  'the backend puts its key into the address': calling(({ path }, { apiKey }) => ({
    path: `${path}?api_key=${apiKey}`,
  })),
  'the backend sends its key in a second header': callingWithHeaders(({ apiKey }) => ({
    'x-debug': apiKey,
  })),
  'the backend hands the session of another user to the app': { backend: rememberingAnswer() },
}

/** A backend that shows every caller the sessions of earlier callers. */
function rememberingAnswer(): Pick<Backend, 'answer'> {
  const seen: string[] = []
  return {
    answer(usual, inbound) {
      const visitors = Buffer.from(seen.join()).toString('base64')
      seen.push(sentBearer({ inbound }).slice('Bearer '.length))
      return jsonAnswer(usual.status, { error: 'busy', visitors })
    },
  }
}
