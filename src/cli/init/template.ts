import { readFileSync } from 'node:fs'

/** Every key of the file. What is switched off begins with `#key`, without a space; `# text` with a space is a remark. */
export const configurationTemplate: string = readFileSync(new URL('template.yaml', import.meta.url), 'utf8')
