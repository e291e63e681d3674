import { auditPaths } from '../../../audit/src/engine/audit.ts'
import { hostileProgram } from '../../../audit/src/threads/testing/hostile-files.ts'
import { start } from '../start.ts'

// A command that audits a folder with readers that have defects, and leaves with the code that it is given.
await start('audit-hostile', async () => async ([folder = '.', fileSeconds = '1', code = '3']) => {
  process.stderr.write('begun\n')
  const settings = { limits: { fileSeconds: Number(fileSeconds) } }
  const { findings, gaps } = await auditPaths([folder], '/', settings, hostileProgram)
  process.stdout.write(
    JSON.stringify([findings.map(({ location }) => location), gaps.map(({ reason }) => reason)]),
  )
  return Number(code)
})
