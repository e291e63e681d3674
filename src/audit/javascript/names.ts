import { type Folder, type Place, picked } from './folder.ts'
import { sum } from './operators.ts'
import { runLoop } from './run.ts'
import { holderOf, type Node, type Write } from './scope.ts'
import type { Constant } from './value.ts'

/** What a name stands for at a place of the script. */
export function named(name: string, start: number, place: Place, folder: Folder): Constant {
  for (let frame = place.frame; frame !== null; frame = frame.parent)
    if (frame.values.has(name)) return frame.values.get(name)
  if (name === 'undefined') return null
  const writes = holderOf(name, place.scope)?.names.get(name)
  return writes === undefined ? undefined : written(writes, name, start, folder)
}

/** A name that is written more often than this holds nothing that could be told. */
const mostWrites = 64

/** What a name holds at a place, by the writes before it; by the first one where it stands before all of them. */
export function written(writes: readonly Write[], name: string, start: number, folder: Folder): Constant {
  if (writes.length > mostWrites) return undefined
  const before = writes.filter((write) => write.start < start && write.value.start < start)
  const loops = new Set<Node>()
  let value: Constant
  for (const write of before.length > 0 ? before : writes.slice(0, 1)) {
    if (write.loop !== null && writes.length > 1) {
      if (!loops.has(write.loop)) value = runLoop(write.loop, write.scope, name, value, folder)
      loops.add(write.loop)
      continue
    }
    const next = picked(folder.evaluate(write.value, { scope: write.scope, frame: null }), write.pick)
    value = write.isAddition ? sum(value, next) : next
  }
  return value
}
