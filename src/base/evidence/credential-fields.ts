/** Words at the end of a name that make its value a credential. */
const lastWords = new Set(
  'apikey authorization bearer cookie cookies credential credentials jwt key passphrase passwd password passwords pin pwd secret secrets session sessions sid token tokens'.split(
    ' ',
  ),
)
const endings = /(?:token|secret|session|sessionid|password|passwd|apikey|secretkey|privatekey|accesskey)s?$/
/** Placeholders that programs write where there is no credential: they say what is wrong, and nothing else. */
const placeholders =
  /^(?:undefined|null|none|nan|true|false|\[object object\]|bearer|<[a-z]{1,12}(?: [a-z]{1,12}){0,3}>)?$/i

/** Says whether a field of this name holds a credential: `refreshToken`, `access_token`, `X-Api-Key`, `sessionId`. */
export function isCredentialName(name: string): boolean {
  const words = name
    .slice(-80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const named = last === 'id' || last === 'value' ? (words.at(-2) ?? '') : last
  return lastWords.has(named) || endings.test(named)
}

/** Each ends with the value of a field: in JSON and its relatives, an address, a form, a line of a header, or before a host. */
const fields: readonly RegExp[] = [
  /["'](?<name>[\w.-]{1,80})\\{0,3}["']\s{0,20}:\s{0,20}\[?\s{0,20}\\{0,3}["'](?<value>[^"'\\]{1,4096})/g,
  /["'](?<name>[\w.-]{1,80})\\{0,3}["']\s{0,20}:\s{0,20}\[?\s{0,20}(?<value>-?\d[\d.]{3,40})/g,
  /(?<=[?&#;]|^)(?<name>[\w.%[\]-]{1,80})=(?<value>[^\s"'&;#]+)/g,
  // Behind a space a name and a sign may be prose, where no digit follows.
  /(?<=\s)(?<name>[\w.-]{1,80})=(?<value>(?=[^\s"'&;,<>(){}]{0,200}\d)[^\s"'&;,<>(){}]{6,})/g,
  /^[<>*\s]{0,8}(?<name>(?:proxy-)?authorization|cookie|set-cookie|x-api-key)[ \t]{0,8}:[ \t]{0,8}(?<value>[^\r\n]+)/gim,
  /:\/\/[^\s/:@]{0,200}:(?<value>[^\s/@]{1,200})(?=@)/g,
]

/** Hides the values of the credential fields of a text; a value that has a label has been hidden. */
export function hideCredentials(text: string, hide: (value: string) => string): string {
  return fields.reduce(
    (shown, field) =>
      shown.replace(field, (match: string, ...rest: unknown[]) => {
        const { name, value = '' } = rest.at(-1) as { name?: string; value?: string }
        if (name !== undefined && !isCredentialName(name)) return match
        return match.slice(0, match.length - value.length) + hideValue(value, hide)
      }),
    text,
  )
}

/** Hides the value of a header whose name says that it is a credential; names of cookies and schemes stay. */
export function hideHeader(name: string, value: string, hide: (value: string) => string): string {
  if (!isCredentialName(name)) return value
  if (!/cookie/i.test(name)) return hideValue(value, hide)
  // Behind the first pair, a `Set-Cookie` has attributes.
  const pairs = /set-cookie/i.test(name) ? /^([^=;]*=)?([^;]*)/ : /([^=;]*=)?([^;]+)/g
  return value.replace(pairs, (_, called = '', text: string) => called + hideValue(text, hide))
}

const scheme = /^[A-Za-z][\w-]{0,39} +(?=[^ ])/

function hideValue(value: string, hide: (value: string) => string): string {
  const [called = ''] = scheme.exec(value) ?? []
  const credential = value.slice(called.length)
  return credential.includes('‹') || placeholders.test(credential.trim()) ? value : called + hide(credential)
}
