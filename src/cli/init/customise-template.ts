import type { Findings } from './findings.ts'
import type { Answers } from './questions.ts'

/** Puts what was found and answered into the template; what there is not is switched off and stays to be read. */
export function customised(template: string, answers: Answers, { variables, composeFile }: Findings): string {
  const { name, mintUrl, backendUrl, signalingUrl } = answers
  const key = variables.find((candidate) => /(?:CALLING|MINT|SERVICE)\w*_KEY$/.test(candidate))
  let text = withValue(template, 'MINT_URL', mintUrl)
  text = withValue(text, 'BACKEND_URL', backendUrl)
  text = withValue(text, 'SIGNALING_URL', signalingUrl)
  if (key !== undefined) text = withValue(text, 'CALLING_API_KEY', `\${${key}}`)
  text = text.replace(/^name: \S+/m, () => `name: ${JSON.stringify(name)}`)
  if (composeFile !== null)
    text = text.replace('#compose: docker-compose.yml', () => `#compose: ${composeFile}`)
  if (mintUrl === null) text = switchedOff(text, /^mint:/)
  if (backendUrl === null) text = switchedOff(text, /^backend:/)
  if (signalingUrl === null) return switchedOff(text, /^signaling:/)
  const noted = text.replace(
    /^( {2})profile: .*$/m,
    (line, indent: string) =>
      `${indent}# twotoken detect --write finds the profile out and writes it here\n${line}`,
  )
  return switchedOff(noted, /^ {2}profile:/)
}

function withValue(text: string, variable: string, value: string | null): string {
  if (value === null) return text
  return text.replace(`\${${variable}}`, () => (value.startsWith('${') ? value : JSON.stringify(value)))
}

/** Puts a # before the key and everything below it, as the template has what is off. */
function switchedOff(text: string, start: RegExp): string {
  let indent: number | null = null
  return text
    .split('\n')
    .map((line) => {
      const own = line.length - line.trimStart().length
      if (indent === null && start.test(line)) indent = own
      else if (indent !== null && line.trim() !== '' && own <= indent) indent = -1
      const isBelow = indent !== null && indent >= 0 && line.trim() !== '' && !line.trim().startsWith('#')
      return isBelow ? `${line.slice(0, own)}#${line.slice(own)}` : line
    })
    .join('\n')
}
