import { ofMint } from '../lib/broken-rows.ts'
import { jsonAnswer } from './lib/variant-answers.ts'

export const broken = ofMint({
  'lives at another path': { path: '/api/calling/token' },
  'takes GET only': { methods: ['GET'] },
  'answers a success as bare text': { success: (token) => ({ ...jsonAnswer(null), body: token }) },
  'answers every ordinary request with 500': { success: () => jsonAnswer({ error: 'failed' }, 500) },
})
