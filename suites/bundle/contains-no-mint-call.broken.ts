import type { BrokenVariants } from '../../src/requirement/define.ts'
import { createSample } from './lib/sample.ts'

export const broken: BrokenVariants = {
  'mints directly': createSample('client-mints'),
  'gives a client the mint as its base': { ...createSample('client-with-base'), as: 'warn' },
  'resolves the path against the mint': createSample('client-with-url'),
  'joins the path': createSample('client-joins-path'),
  'mints in Hermes bytecode': createSample('client-mints-natively'),
  'relays to it percent-encoded': createSample('percent-encoded-call'),
  'has the path on an unknown host': { ...createSample('unknown-host'), as: 'warn' },
  'has the path on another host': { ...createSample('other-host'), as: 'warn' },
}
