import type { BrokenVariants } from '../../src/requirement/define.ts'
import { isUnanswered, printRequest } from './lib/variants.ts'

export const broken: BrokenVariants = {
  'prints the request that it did not send': { backend: printRequest((headers) => headers, isUnanswered) },
  'verifies nothing': { backend: { mintTls: { rejectUnauthorized: false } } },
  'verifies the authority, but not the name': {
    backend: { mintTls: { checkServerIdentity: () => undefined } },
  },
}
