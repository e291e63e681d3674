export const asJson = (value: object) => ({ text: JSON.stringify(value), contentType: 'application/json' })

export const asForm = (fields: Readonly<Record<string, string>>) => ({
  text: new URLSearchParams(fields).toString(),
  contentType: 'application/x-www-form-urlencoded',
})

export const asMultipart = (fields: Readonly<Record<string, string>>) => ({
  text: `${Object.entries(fields)
    .map(([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--part--\r\n`,
  contentType: 'multipart/form-data; boundary=part',
})

export function fieldsNamed(names: readonly string[], value: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

export function headersNamed(names: readonly string[], value: string): (readonly [string, string])[] {
  return names.map((name) => [name, value] as const)
}

export function cookiesNamed(names: readonly string[], value: string): string {
  return names.map((name) => `${name}=${value}`).join('; ')
}

export const sessionCookies = [
  ...['session', 'sessionToken', 'session_token', 'sessionid', 'sid', 'connect.sid'],
  ...['token', 'access_token', 'auth', 'jwt'],
]
