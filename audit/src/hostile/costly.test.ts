import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { failed } from '../audit/or-gap.ts'
import { hostileFiles } from '../testing/hostile-files.ts'

const program = join(import.meta.dirname, '../testing/read-hostile-file.ts')
/** Seconds of a processor, with the start of the process and the making of the file; the system ends a process that takes more. */
const mostSeconds = 20
const mostMegabytes = 400

test.each(hostileFiles.map((one, index) => [one.name, one.expects, index] as const))(
  '%s ends with a %s',
  async (_, expects, index) => {
    const started = promisify(execFile)('/bin/sh', [
      '-c',
      `ulimit -t ${mostSeconds}; exec "$0" "$@"`,
      process.execPath,
      '--no-warnings',
      program,
      String(index),
    ])
    const { levels, gaps, megabytes } = JSON.parse((await started).stdout)
    expect(gaps.filter(({ reason }: { reason: string }) => reason.startsWith(failed))).toEqual([])
    expect(
      expects === 'gap' ? gaps.length : levels.filter((level: string) => level !== 'note').length,
    ).not.toBe(0)
    expect(megabytes).toBeLessThan(mostMegabytes)
  },
)
