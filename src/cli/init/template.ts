import { readFileSync } from 'node:fs'

/**
 * The configuration that `twotoken init` writes: every key of the file. What is switched off begins with `#key`,
 * without a space, so that taking the `#` away leaves valid YAML; `# text` with a space is a remark.
 */
export const configurationTemplate: string = readFileSync(new URL('template.yaml', import.meta.url), 'utf8')
