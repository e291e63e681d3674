import { minifySync } from 'vite'

/** A module as it is written, and as a bundler minifies it. */
export function formsOf(module: string): string[] {
  const { code, errors } = minifySync('module.js', module, { module: true, compress: true, mangle: true })
  if (errors.length > 0) throw new Error(`the module does not parse: ${String(errors[0]?.message)}`)
  return [module, code]
}
