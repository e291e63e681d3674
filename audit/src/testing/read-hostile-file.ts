import { auditInMemory } from './audit-files.ts'
import { hostileFiles } from './hostile-files.ts'

// The program that `costly.test.ts` starts for one row of the table, whose number is its argument.
const one = hostileFiles[Number(process.argv[2])]
if (one === undefined) throw new Error('there is no such row')
const { findings, gaps } = await auditInMemory({ location: one.file, name: one.file, bytes: one.bytes() })
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(JSON.stringify({ levels: findings.map(({ level }) => level), gaps, megabytes }))
