import { parseBinaryTemplate } from './binary-template.ts'
import type { Carriage } from './carriages/registry.ts'
import type { DeclaredUser } from './declared-users/registry.ts'
import type { SignalingProfile } from './profile.ts'
import type { FailureSign, MessageSign, SuccessSign } from './signs.ts'

interface BinaryFault {
  readonly path: (string | number)[]
  /** A clause about the value at the path. */
  readonly fault: string
}

/** Finds the values that a profile with binary frames does not write in base64. */
export function findBinaryFaults(profile: SignalingProfile): BinaryFault[] {
  const { carriage, declaredUser, again, opening = [], success, failure, unauthorized, samples } = profile
  const templates = [
    ...templatesOf('carriage', carriage),
    ...templatesOf('declaredUser', declaredUser),
    ...valueAt(['again'], again),
    ...valueAt(['samples', 'success'], samples.success),
  ]
  const literals = [
    ...opening.flatMap((message, index) => valueAt(['opening', index], message)),
    ...startsOf(['success'], success),
    ...startsOf(['failure'], failure),
    ...startsOf(['unauthorized'], unauthorized),
    ...cueOf(carriage),
    ...valueAt(['samples', 'greeting'], samples.greeting),
    ...valueAt(['samples', 'unauthorized'], samples.unauthorized),
  ]
  return [
    ...templates.flatMap(({ path, value }) => {
      const read = parseBinaryTemplate(value)
      return 'fault' in read ? [{ path, fault: read.fault }] : []
    }),
    ...literals.flatMap(({ path, value }) => {
      const read = parseBinaryTemplate(value)
      if ('fault' in read) return [{ path, fault: read.fault }]
      return read.every((part) => 'literal' in part) ? [] : [{ path, fault: 'has a placeholder' }]
    }),
  ]
}

interface Value {
  readonly path: (string | number)[]
  readonly value: string
}

function valueAt(path: (string | number)[], value: string | undefined): Value[] {
  return value === undefined ? [] : [{ path, value }]
}

function templatesOf(key: string, written: Carriage | DeclaredUser): Value[] {
  return written.in === 'message' ? [{ path: [key, 'template'], value: written.template }] : []
}

function cueOf(carriage: Carriage): Value[] {
  return carriage.in === 'message' && carriage.after !== 'open'
    ? startsOf(['carriage', 'after'], [carriage.after], false)
    : []
}

function startsOf(
  path: string[],
  signs: readonly (SuccessSign | FailureSign | MessageSign)[],
  isList = true,
): Value[] {
  return signs.flatMap((sign, index) =>
    'text' in sign
      ? [{ path: [...path, ...(isList ? [index] : []), 'text', 'startsWith'], value: sign.text.startsWith }]
      : [],
  )
}
