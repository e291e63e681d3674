import type { Canary } from './canary.ts'
import { containers, unwritable } from './containers.ts'
import type { Injector, Wish } from './injector.ts'

/** A canary that was planted, or that could not be. */
export interface PlantedCanary extends Canary {
  readonly format: string
  readonly slot: string
  readonly encoding: string
  /** The kinds of containers around the file, outermost first. */
  readonly container: readonly string[]
  readonly location: string
  /** Why it could not be planted. */
  readonly refused?: string
}

interface Pending {
  readonly wish: Wish
  readonly canary: Canary
  refused: string
  location: string
}

/** Plan of the canaries: each format gets its canaries once in each kind of container. */
export interface Plan {
  /** A copy of a file with canaries in it, or `null` where none was wanted in it any more. */
  injectInto(location: string, name: string, bytes: Buffer): Buffer | null
  canaries(): readonly PlantedCanary[]
}

interface Group {
  readonly format: string
  readonly container: readonly string[]
  readonly pending: Pending[]
}

const deepest = 8

/**
 * @param injectors the first that recognises a file takes it
 * @param looksAt receives how many bytes are read next
 */
export function createPlan(
  nextCanary: () => Canary,
  injectors: readonly Injector[],
  looksAt: (bytes: number) => void = () => {},
): Plan {
  const groups = new Map<string, Group>()
  const planted: PlantedCanary[] = []

  const fail = (location: string, container: readonly string[], format: string, reason: string) => {
    const key = `${format}\0${container.join('\0')}`
    if (groups.has(key)) return
    const canary = nextCanary()
    const wish = { slot: 'contents', encoding: 'plain', key: canary.key, payload: Buffer.alloc(0) }
    groups.set(key, { format, container, pending: [{ wish, canary, refused: reason, location }] })
  }

  const visit = (location: string, name: string, bytes: Buffer, chain: readonly string[]): Buffer | null => {
    looksAt(bytes.length)
    const compression = unwritable(bytes)
    if (compression !== null) fail(location, chain, compression, `${compression} cannot be written`)
    const container =
      chain.length < deepest ? containers.find((one) => one.recognises(name, bytes)) : undefined
    if (container === undefined) return visitFile(location, name, bytes, chain)
    try {
      return container.rewrite(name, bytes, (member) =>
        visit(`${location}!${member.name}`, member.name.split('/').at(-1) ?? '', member.bytes, [
          ...chain,
          member.kind,
        ]),
      )
    } catch (error) {
      fail(location, chain, 'archive', `it could not be rewritten: ${(error as Error).message}`)
      return null
    }
  }

  const visitFile = (location: string, name: string, bytes: Buffer, container: readonly string[]) => {
    const injector = injectors.find((one) => one.recognises(name, bytes))
    if (injector === undefined) return null
    const key = `${injector.format}\0${container.join('\0')}`
    let group = groups.get(key)
    if (group === undefined) {
      const pending = injector.slots.flatMap(({ slot, encodings }) =>
        encodings.map(({ name: encoding, encode }): Pending => {
          const canary = nextCanary()
          const wish = { slot, encoding, key: canary.key, payload: encode(canary.key) }
          return { wish, canary, refused: '', location }
        }),
      )
      group = { format: injector.format, container, pending }
      groups.set(key, group)
    }
    if (group.pending.length === 0) return null
    const { bytes: copy, refused } = attempt(
      () =>
        injector.inject(
          bytes,
          group.pending.map(({ wish }) => wish),
        ),
      bytes,
      group.pending,
    )
    let isChanged = false
    for (const one of [...group.pending]) {
      const reason = refused.get(one.wish)
      if (reason !== undefined) {
        Object.assign(one, { refused: reason, location })
        continue
      }
      isChanged = true
      group.pending.splice(group.pending.indexOf(one), 1)
      planted.push(canaryOf(group, { ...one, location }))
    }
    return isChanged ? copy : null
  }

  return {
    injectInto: (location, name, bytes) => visit(location, name, bytes, []),
    canaries: () => [
      ...planted,
      ...[...groups.values()].flatMap((group) =>
        group.pending.map((one) => ({ ...canaryOf(group, one), refused: one.refused })),
      ),
    ],
  }
}

/** A file that is not what its format promises takes no canary; another of its format may. */
function attempt<T>(inject: () => T, bytes: Buffer, pending: readonly Pending[]) {
  try {
    return inject()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { bytes, refused: new Map(pending.map(({ wish }) => [wish, 'its tables are corrupt'])) }
  }
}

function canaryOf({ format, container }: Group, { wish, canary, location }: Pending): PlantedCanary {
  const { slot, encoding } = wish
  return { ...canary, format, slot, encoding, container, location }
}
