export type SecretEncoding = 'plain' | 'percent-encoded' | 'hexadecimal' | 'base64'

/** In which form a text holds a secret, or `null`. Base64 is found at every alignment, in either alphabet. */
export function findSecret(text: string, secret: string): SecretEncoding | null {
  if (secret === '') return null
  if (text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))) return 'plain'
  if (decodePercent(text).includes(secret)) return 'percent-encoded'
  if (text.toLowerCase().includes(Buffer.from(secret).toString('hex'))) return 'hexadecimal'
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return base64Cores(secret).some((core) => standard.includes(core)) ? 'base64' : null
}

/** The part of the secret's base64 that does not depend on the text around it, for each alignment. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + secret).toString('base64')
    const first = offset === 0 ? 0 : offset + 1
    const whole = Math.floor(((offset + Buffer.byteLength(secret)) * 8) / 6)
    return encoded.slice(first, whole)
  })
}

function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}
