import type { BrokenVariants } from '../../src/requirement/define.ts'
import { createSample } from './lib/sample.ts'

export const broken: BrokenVariants = {
  'pasted from the console': createSample('test-token'),
  'put together of parts': createSample('test-token-in-parts'),
  'in Hermes bytecode': createSample('test-token-in-hermes'),
  'in Info.plist': createSample('test-token-in-plist'),
  'that has expired': { ...createSample('expired-test-token'), as: 'warn' },
}
