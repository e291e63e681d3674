import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

const gate = createGate('ac_live_', 16)
const isWorth = (script: string) => gate.pieceIn(script) !== -1 || gate.holdsMore(script)

test.each([
  ['a guard', `if(key.startsWith("ac_live_"))throw new Error("no server key")`],
  ['a guard the other way round', `if("ac_live_"===key.slice(0,8))throw 0`],
  ['a guard by a name', `const P='ac_live_';export const isKey=(k)=>k.startsWith(P)`],
  ['a guard by a list', `const L=["ac_test_","ac_live_"];ok=L.some(p=>k.startsWith(p))`],
  ['a label', `switch(head){case"ac_live_":return 1}`],
  ['a pattern', `const isKey=/^(?:ac_live_|ac_test_)[A-Za-z0-9]{16,}$/.test(k)`],
  ['a sentence', `throw new Error("Keys that begin with ac_live_ do not belong here")`],
  ['the end of a sentence', `throw new Error("This key begins with ac_live_.")`],
])('%s is no reason to parse', (_, script) => {
  expect(isWorth(script)).toBe(false)
})

test.each([
  ['is added to', `use("ac_live_"+rest)`],
  ['is compared and added to', `k.startsWith("ac_live_");use("ac_live_"+rest)`],
  ['is a name that is used otherwise', `const P='ac_live_';k.startsWith(P);use(P+rest)`],
  ['is the beginning of a template', `use(\`ac_live_\${rest}\`)`],
  ['is followed by a place for the rest', `use("ac_live_%s".replace("%s",rest),"ac_live_{0}")`],
  ['is the beginning of a key', `use("ac_live_9fK2"+"mQ7xLp3Rt8Wz1Bv6")`],
  ['is behind what divides', `use(1/2,"ac_live_"+rest)`],
])('a prefix that %s is one', (_, script) => {
  expect(isWorth(script)).toBe(true)
})
