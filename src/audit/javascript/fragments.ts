import { defaultPrefix } from '../key-shape.ts'
import { hasMaskedCodes } from './masked-codes.ts'

/**
 * What a script has to hold before it is worth parsing: a piece of the prefix (in or against its direction, in capitals,
 * with other separators, or coded), the beginning of a token, or a piece of the mint endpoint's path.
 */
const fragments = new RegExp(
  [
    /ac_["'`$+l]/,
    /c_live_|live_["'`0-9A-Z$\\]|["'`]_?live|["'`]i?ve_/,
    /["'`]ac(?:_(?:l(?:i(?:ve?)?)?)?)?["'`$]|["'`]a["'`]\s*[,+]\s*["'`]c/,
    /_evil|evil_|["'`]evil|_e(?:vi?)?["'`]|["'`]v?i?l_ca["'`]/,
    /AC_L|["'`]_?LIVE_?["'`]|ac[^a-z0-9\s_]live/,
    /a(?<separator>[^\w\s])c\k<separator>_\k<separator>l/,
    /YWN|FjX2|hY19|bGl2|61635f|\\x61|\\u0061|\\141|eyJ/,
    /97\s*,\s*99\s*,\s*95|0[xX]61\s*,\s*0[xX]63|95\s*,\s*101\s*,\s*118/,
    /calling(?:\/|%2[fF]|\\u002[fF])token|\/?calling\/?["'`]|api\/v1/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

const others = new Map<string, RegExp>()

export function hasFragment(text: string, prefix: string): boolean {
  return (
    fragments.test(text) ||
    (prefix !== defaultPrefix && fragmentsOf(prefix).test(text)) ||
    hasMaskedCodes(text, prefix)
  )
}

/** Any three characters of another prefix, in or against its direction; fewer at its beginning, in quotes. */
function fragmentsOf(prefix: string): RegExp {
  const known = others.get(prefix)
  if (known !== undefined) return known
  const pieces = [prefix, [...prefix].reverse().join('')].flatMap((text) =>
    Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3)),
  )
  const made = new RegExp(`${pieces.join('|')}|["'\`]${prefix.slice(0, 2)}["'\`]`)
  others.set(prefix, made)
  return made
}
