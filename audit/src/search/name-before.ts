/** Shorter names are those that a minifier gave. */
const named = [
  // JSON, YAML, settings, properties and objects of scripts.
  /([A-Za-z_$][\w$.-]{2,63})\\?["'`]?\s{0,8}[:=]\s{0,8}\\?["'`]?$/,
  // Resources of Android, and other XML.
  /\bname\s{0,8}=\s{0,8}["']([\w$.-]{3,64})["'][^<>]{0,200}>\s{0,8}["']?$/,
  // Property lists.
  /<key>([\w$. -]{3,64})<\/key>\s{0,40}<(?:string|data)>\s{0,40}$/,
]
const longest = 400

/** The name of a value in a text, directly before it; `undefined` without one. */
export function nameBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - longest), at)
  for (const pattern of named) {
    const [, name] = pattern.exec(before) ?? []
    if (name !== undefined) return name
  }
  return undefined
}

/** The same of a value that is encoded, of which a part may be before the place. */
export function nameBeforeEncoded(text: string, at: number): string | undefined {
  const [part = ''] = /[A-Za-z0-9+/]{0,512}$/.exec(text.slice(Math.max(0, at - 512), at)) ?? []
  return nameBefore(text, at - part.length)
}
