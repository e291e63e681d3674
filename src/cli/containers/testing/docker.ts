import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Running } from '../../testing/workplace.ts'

const run = promisify(execFile)
const largestOutput = 64 * 1024 * 1024

export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: largestOutput })
  return stdout.trim()
}

/** Freezes a container. On a busy machine the engine gives up before the kernel has frozen it, and has to be asked again. */
export async function pause(container: string): Promise<void> {
  for (let time = 1; ; time += 1)
    try {
      await docker('pause', container)
      return
    } catch (error) {
      if (time === 20 || !String(error).includes('unable to freeze')) throw error
    }
}

/** Builds an image that runs one line of JavaScript. Its layers are there already, so that it takes a moment. */
export async function scriptImage(name: string, script: string): Promise<string> {
  const image = `twotoken-test/${name}`
  const dockerfile = [
    'ARG NODE_IMAGE=node:24-bookworm-slim',
    'FROM $NODE_IMAGE',
    `CMD ${JSON.stringify(['node', '-e', script])}`,
  ].join('\n')
  const building = run('docker', ['build', '--quiet', '--build-arg', 'NODE_IMAGE', '--tag', image, '-'])
  building.child.stdin?.end(dockerfile)
  await building
  return image
}

/** The containers, networks and volumes that a process has and that are still there. */
export async function leftBy(pid: number | undefined): Promise<string[]> {
  const kinds = [
    ['ps', '--all', '--format', '{{.Names}} {{.Labels}}'],
    ['network', 'ls', '--format', '{{.Name}} {{.Labels}}'],
    ['volume', 'ls', '--format', '{{.Name}} {{.Labels}}'],
  ]
  const lists = await Promise.all(kinds.map((kind) => docker(...kind)))
  const mark = new RegExp(`[0-9a-f]{8}-${pid}-\\d+`)
  return lists.flatMap((list) => list.split('\n')).filter((line) => mark.test(line))
}

/** Waits for the container of a part of a run, for as long as the run lasts. */
export async function containerOf(part: string, { process, ended }: Running): Promise<string> {
  const format = '{{.ID}} {{.Labels}}'
  while (process.exitCode === null && process.signalCode === null) {
    const list = await docker('ps', '--filter', `label=org.twotoken.part=${part}`, '--format', format)
    const line = list.split('\n').find((text) => text.includes(`-${process.pid}-`))
    if (line !== undefined) return line.split(' ')[0] ?? ''
    await delay(50)
  }
  throw new Error(`the run ended before the ${part} ran in a container:\n${(await ended).stderr}`)
}

/** Seconds that a container of this image takes to start and end, as busy as this machine is now. */
export async function secondsOnce(image: string): Promise<number> {
  const begun = performance.now()
  await docker('run', '--rm', image, 'node', '-e', '0')
  return Math.ceil((performance.now() - begun) / 1000)
}
