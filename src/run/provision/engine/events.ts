import type { Readable } from 'node:stream'
import type { Engine } from './engine.ts'

/** Records what happens to containers and their networks, until disposed of. */
export interface Watching extends Disposable {
  /** The events of a container by its id, as texts with the seconds since the watch began. */
  of(id: string): readonly string[]
}

interface EngineEvent {
  readonly Type?: string
  readonly Action?: string
  readonly Actor?: { readonly ID?: string; readonly Attributes?: Readonly<Record<string, string>> }
}

const phrases: Readonly<Record<string, (attributes: Readonly<Record<string, string>>) => string>> = {
  die: ({ exitCode = '?' }) => `exited with code ${exitCode}`,
  kill: ({ signal = '?' }) => `was sent signal ${signal}`,
  oom: () => 'ran out of memory',
  pause: () => 'was paused',
  unpause: () => 'was resumed',
  restart: () => 'was restarted',
  disconnect: () => 'was disconnected from its network',
  connect: () => 'was connected to a network',
}

/** Watches until disposed of. Without events of the engine the lists stay empty. */
export async function watchEvents({ docker }: Engine, ids: readonly string[]): Promise<Watching> {
  const recorded = new Map<string, string[]>(ids.map((id) => [id, []]))
  const begun = performance.now()
  const stream = (await docker
    .getEvents({ filters: { type: ['container', 'network'], event: Object.keys(phrases) } })
    .catch(() => null)) as Readable | null
  let rest = ''
  stream?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) note(line)
  })
  stream?.on('error', () => undefined)

  const note = (line: string) => {
    if (line.trim() === '') return
    const { Action = '', Actor = {} } = JSON.parse(line) as EngineEvent
    const { ID = '', Attributes = {} } = Actor
    const text = phrases[Action]?.(Attributes)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    if (text !== undefined) recorded.get(Attributes['container'] ?? ID)?.push(`${text} after ${seconds} s`)
  }
  return {
    of: (id) => recorded.get(id) ?? [],
    [Symbol.dispose]: () => void stream?.destroy(),
  }
}
