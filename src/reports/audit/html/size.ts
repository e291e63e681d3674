const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A number of bytes in decimal units: `48.2 MB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const digits = power === 0 ? 0 : 1
  const shown = (bytes / 1000 ** power).toLocaleString('en', { maximumFractionDigits: digits })
  return `${shown} ${bytes === 1 ? 'byte' : units[power]}`
}
