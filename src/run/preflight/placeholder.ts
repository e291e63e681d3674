/** Forms that examples and templates write in place of a credential. */
const forms: readonly RegExp[] = [
  /^<.*>$/s,
  /^\{\{.*\}\}$/s,
  /^\$\(?\w+\)?$/,
  /^%\w+%$/,
  /^(?:process|import\.meta)\.env\b/,
  /^(?:change|replace|fill|insert|paste|put)[-_ ]?(?:me|this|it|in|here|your|with)\b/i,
  /^(?:todo|tbd|fixme|placeholder|undefined|null|none)$/i,
  /^your[-_ ].*(?:key|token|session|secret|credential|here)s?$/i,
  /^(?:ac_live_)?(?:x{3,}|\*+|\.{2,}|…|your[-_].*|here|key)$/i,
]

/** Says whether a value only holds the place of a credential. */
export function isUnfilled(value: string): boolean {
  return forms.some((form) => form.test(value.trim()))
}
