import { z } from 'zod'
import * as leaf from '../../base/schema/leaves.ts'
import { complainOfPlaceholders } from '../../base/schema/unfilled-placeholders.ts'
import { parseBinaryTemplate } from './binary-template.ts'
import { carriages } from './carriages/registry.ts'
import { profile, type SignalingProfile } from './profile.ts'

const usableProfile = profile.superRefine((written, context) => {
  if (written.binary !== undefined)
    for (const { path, fault } of findBinaryFaults(written))
      leaf.complain(
        context,
        [...path],
        `${fault}: with binary it is written in base64 (docs/signaling.md, "Binary frames")`,
      )
  complainOfPlaceholders(written, context)
  if (written.declaredUser.in === 'carriage' && !carriages.carriesUser(written.carriage))
    leaf.complain(
      context,
      ['declaredUser'],
      'is carriage, but no template of the carriage contains {userId}: add it there',
    )
  written.success.forEach((sign, index) => {
    if ('quietOpenMs' in sign && sign.quietOpenMs >= written.timeoutMs)
      leaf.complain(
        context,
        ['success', index, 'quietOpenMs'],
        `is ${sign.quietOpenMs}, not below timeoutMs (${written.timeoutMs}): make it shorter`,
      )
  })
})

/** How the suite joins: as a profile says, or through the user's module, an absolute path. */
export type SignalingAccess = { readonly profile: SignalingProfile } | { readonly adapter: string }

export const signaling = z
  .strictObject(
    {
      url: leaf.wsUrl.describe('The address of signaling'),
      allowInsecureTransport: leaf.flag.default(false).describe('Permits ws:// to anything but loopback'),
      profile: usableProfile.optional().describe('How this service does what the specification leaves open'),
      callbackUrl: leaf.plainUrl
        .optional()
        .describe(
          'Where signaling reaches the suite, which listens on its port: SIG-23 puts it into forged headers',
        ),
      adapter: leaf
        .path('the path of a module')
        .optional()
        .describe('A module that connects instead of the profile; its serve is the double for clients'),
    },
    { error: 'a mapping' },
  )
  .superRefine((written, context) => {
    if (written.profile !== undefined && written.adapter !== undefined)
      leaf.complain(context, ['adapter'], 'cannot be combined with a profile: remove one of the two')
  })
  .transform(
    // Without either, nothing says how to tell success from failure.
    ({ profile, adapter, ...others }): typeof others & { access?: SignalingAccess | undefined } => {
      if (profile !== undefined) return { ...others, access: { profile } }
      return adapter === undefined ? others : { ...others, access: { adapter } }
    },
  )

export type SignalingConfiguration = leaf.Output<typeof signaling>

type Path = readonly (string | number)[]

interface BinaryFault {
  readonly path: Path
  /** A clause about the value at the path. */
  readonly fault: string
}

/** Finds the values that a profile with binary frames does not write in base64. */
function findBinaryFaults(profile: SignalingProfile): BinaryFault[] {
  return textsIn(profile, []).flatMap(({ path, value }) => {
    const read = parseBinaryTemplate(value)
    if ('fault' in read) return [{ path, fault: read.fault }]
    const isFilled = ['template', 'again', 'success'].some((key) => path.at(-1) === key)
    return isFilled || read.every((part) => 'literal' in part) ? [] : [{ path, fault: 'has a placeholder' }]
  })
}

/** Keys of a message, or of the beginning of one. */
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
