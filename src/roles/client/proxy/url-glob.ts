/** Says whether an address fits a glob without its query. `*` matches within a segment, `**` across them, `{a,b}` either. */
export function matchesGlob(glob: string, url: URL): boolean {
  const bare = withoutQuery(url.href)
  return [glob, normaliseGlob(glob)].some((form) => compileGlob(withoutQuery(form)).test(bare))
}

/** Says whether a host fits such a glob; where the glob names no port, any port does. */
export function matchesHost(glob: string, { host, hostname }: URL): boolean {
  return [host, hostname].some((name) => compileGlob(glob).test(name))
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

function normaliseGlob(glob: string): string {
  return /^[a-z]+:\/\/[^*{]+(?:\/|$)/i.test(glob) && URL.canParse(glob)
    ? decodeURI(new URL(glob).href).replace(/\/$/, glob.endsWith('/') ? '/' : '{,/}')
    : glob
}

function compileGlob(glob: string): RegExp {
  let depth = 0
  const source = glob.replace(/\*\*\/?|\*|[{},]|[.+^$()|[\]\\?]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === ',') return depth > 0 ? '|' : ','
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    if (part === '{') return '(?:'
    return part === '}' ? ')' : `\\${part}`
  })
  try {
    return new RegExp(`^${source}$`, 'i')
  } catch {
    return /^(?!)/
  }
}
