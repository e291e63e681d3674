import { pages, programs } from './lib/broken-clients.ts'

export const broken = {
  ...pages(['shape of the answer unchecked', 'empty token where there is none']),
  ...pages(['waits for a token that does not come'], {
    configuration: { limits: { clientSettleSeconds: 5 } },
    as: 'warn',
  }),
  ...programs(['shape of the answer unchecked']),
  ...pages(['token taken from the field jwt'], { as: 'warn' }),
}
