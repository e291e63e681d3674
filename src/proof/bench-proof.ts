import { proveInProcesses } from './proof-process.ts'

// Part of `npm run bench`: what one case of the proof costs, with two processes.
const begun = performance.now()
const proved = await proveInProcesses(
  { ids: ['MINT', 'SIG'], isSlice: true, isRest: false },
  2,
  () => undefined,
)
const seconds = (performance.now() - begun) / 1000
const longest = proved.toSorted((one, two) => two.seconds - one.seconds)[0]
console.log(`\n| ${proved.length} cases of the proof (MINT, SIG) | measured |\n| --- | ---: |`)
console.log(`| seconds per case | ${(seconds / proved.length).toFixed(2)} s |`)
if (longest !== undefined)
  console.log(`| the longest case, ${longest.name} | ${longest.seconds.toFixed(1)} s |`)
