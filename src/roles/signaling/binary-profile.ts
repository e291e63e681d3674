import { parseBinaryTemplate } from './binary-template.ts'
import type { SignalingProfile } from './profile.ts'

type Path = readonly (string | number)[]

interface BinaryFault {
  readonly path: Path
  /** A clause about the value at the path. */
  readonly fault: string
}

/** Finds the values that a profile with binary frames does not write in base64. */
export function findBinaryFaults(profile: SignalingProfile): BinaryFault[] {
  return textsIn(profile, []).flatMap(({ path, value }) => {
    const read = parseBinaryTemplate(value)
    if ('fault' in read) return [{ path, fault: read.fault }]
    const isFilled = ['template', 'again', 'success'].some((key) => path.at(-1) === key)
    return isFilled || read.every((part) => 'literal' in part) ? [] : [{ path, fault: 'has a placeholder' }]
  })
}

/** Keys at which a message stands, or what one begins with. */
const messageKeys: Path = ['template', 'again', 'startsWith', 'greeting', 'success', 'unauthorized']

function textsIn(value: unknown, path: Path): { readonly path: Path; readonly value: string }[] {
  if (typeof value === 'string')
    return path[0] === 'opening' || messageKeys.includes(path.at(-1) ?? '') ? [{ path, value }] : []
  if (typeof value !== 'object' || value === null) return []
  // The template of a header is a text.
  if ('in' in value && value.in !== 'message') return []
  return Object.entries(value).flatMap(([key, one]) =>
    textsIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}
