import { registerHooks } from 'node:module'
import type { Off } from './pieces.ts'

// Audits a folder without one piece, in a process of its own: a module without the piece is another module.
const { folder, off } = JSON.parse(process.argv[2] ?? '{}') as { folder: string; off: Off | null }

if (off !== null && 'file' in off)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(`/audit/src/${off.file}`)) return loaded
      return { ...loaded, source: textWithout(String(loaded.source), off.from, off.to) }
    },
  })

function textWithout(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`"${from}" is not in the module: correct pieces.ts`)
  return text.replace(from, to)
}

const { measure } = await import('./measure.ts')
process.stdout.write(JSON.stringify(await measure(folder, off)))
