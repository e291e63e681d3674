/** The names under which `start.containers.PART.env` may ask for what is only known once the run has begun. */
export interface Placeholders {
  readonly mintUrl: string
  readonly apiKey: string
  readonly jwksUrl: string
  readonly mintKeys: string
  readonly sessions: string
}

/** A container's environment: what every container is given, and over it what the configuration says. */
export function environmentOf(
  given: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  placeholders: Placeholders,
): Record<string, string> {
  const filled = Object.entries(wanted).map(([name, value]) => [
    name,
    value.replace(/\{(\w+)\}/g, (written, key: string) =>
      Object.hasOwn(placeholders, key) ? placeholders[key as keyof Placeholders] : written,
    ),
  ])
  return { ...given, ...Object.fromEntries(filled) }
}
