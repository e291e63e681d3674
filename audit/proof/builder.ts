import type { Canary, Encoding } from '../src/self-test/canary.ts'

/** A key that a tool put somewhere. */
export interface PlantedKey extends Canary {
  readonly slot: string
  readonly encoding: string
  /** The key as it is in the source, in its encoding. */
  readonly text: string
}

/** A file that a format's own tool made, with keys and decoys in it. */
export interface Built {
  readonly format: string
  readonly name: string
  readonly bytes: Buffer
  readonly planted: readonly PlantedKey[]
}

/** Tools and folders that builders work with. */
export interface Bench {
  /** A folder for this builder alone. */
  readonly work: string
  /** The folder of a package of the manifest. @throws ToolFailure where it could not be fetched */
  package(name: string): string
  ledger(): Ledger
}

export interface Ledger {
  /** A new key, noted as planted; the length is the whole key's. */
  key(slot: string, length?: number): string
  /** A new key in an encoding. */
  text(slot: string, encoding: Encoding): string
  readonly planted: PlantedKey[]
}

export interface Builder {
  readonly name: string
  build(bench: Bench): Promise<readonly Built[]>
}

export function createLedger(next: (length?: number) => Canary): Ledger {
  const planted: PlantedKey[] = []
  return {
    planted,
    key(slot, length) {
      const canary = length === undefined ? next() : next(length - 'ac_live_'.length)
      planted.push({
        ...canary,
        slot,
        text: canary.key,
        encoding: length === undefined ? 'plain' : `plain, ${length} characters`,
      })
      return canary.key
    },
    text(slot, { name, encode }) {
      const canary = next()
      const text = encode(canary.key).toString('latin1')
      planted.push({ ...canary, slot, encoding: name, text })
      return text
    },
  }
}

/** Total lengths whose byte is a letter or a digit: what is before the key then looks like a part of a word. */
export const tellingLengths = [48, 52, 57, 65, 90, 97, 110, 122]

/** Values that only resemble a key; none may be an error. */
export const decoyValues = [
  'ac_live_room_player_title',
  'ac_live_xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'ac_live_YOUR_API_KEY',
  'ac_live_...',
  'ac_live_',
  '^ac_live_[A-Za-z0-9_-]{24,}$',
  'zodiac_live_wallpaper_settings_2',
  'Keys begin with ac_live_ and must never ship.',
  'ac_live_roomParticipantListViewController2',
  'ac_live_000000000000000000000000',
  'ac_live_<your key here>',
]

/** Names that may be those of members, resources and properties. */
export const decoyNames = ['ac_live_room_player_title', 'ac_live_badge_count_2', 'zodiac_live_room']
