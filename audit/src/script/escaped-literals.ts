const written =
  /(?<!\\)\\+(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{0*([0-9a-f]{1,2})\}|([0-3][0-7]{2}|[0-7]{2}(?!\d)))/gi

/**
 * A script, with a character for each byte, as it would be without the escapes of its literals, those in literals inside
 * literals included. Only marks of literals stay escaped, and what is no printable ASCII.
 */
export function resolveEscapes(script: string): string {
  return script.replace(written, (whole, x?: string, u?: string, braced?: string, octal?: string) => {
    const hex = x ?? u ?? braced
    const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
    const char = code > 0x20 && code < 0x7f ? String.fromCharCode(code) : '"'
    return '"\'`\\'.includes(char) ? whole : char
  })
}
