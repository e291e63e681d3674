import { keepFirst, keepUser, shareCalls } from '../backend/lib/variant-caches.ts'
import { backends } from '../backend/lib/variants.ts'

export const broken = backends({
  'the backend keeps one token for everyone': keepFirst(() => ''),
  'the backend shares a request that is under way': shareCalls(() => ''),
  'the backend keeps the user in a variable': keepUser(),
})
