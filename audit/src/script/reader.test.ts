import { expect, test } from 'vitest'
import { key } from '../testing/audit-files.ts'
import { createScriptReader } from './reader.ts'

const sum = `use("ac_" + "live_" + "${key.slice(8)}")`
/** Each name is a sum of the one before it, which costs more than there is time for. */
const slow = `${'('.repeat(900)}1${')'.repeat(900)};`.repeat(4000)

test('reads scripts and maps one after the other in one thread', async () => {
  const reader = createScriptReader('ac_live_', 20)
  try {
    expect(await reader.fold(sum)).toMatchObject({ texts: [{ text: key }], problem: null })
    expect(await reader.fold('const a = ;')).toEqual({ texts: [], problem: 'unparsed' })
    expect(await reader.sources('{"sources":["a"],"sourcesContent":["let a"]}')).toEqual({
      sources: [{ name: 'a', content: 'let a' }],
      problem: null,
    })
  } finally {
    await reader.close()
  }
})

test('a script that takes too long is given up, the next one is folded, and after three no other is', async () => {
  const reader = createScriptReader('ac_live_', 0.001)
  try {
    expect(await reader.fold(slow)).toMatchObject({ texts: [], problem: 'time' })
    expect(await reader.fold(slow)).toMatchObject({ texts: [], problem: 'time' })
    expect(await reader.fold(slow)).toMatchObject({ texts: [], problem: 'time' })
    expect(await reader.fold(sum)).toMatchObject({ texts: [], problem: 'time' })
  } finally {
    await reader.close()
  }
})
