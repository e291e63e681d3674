import type { Findings } from './findings.ts'
import type { Answers } from './questions.ts'

/** Fills findings and answers into the template; absent parts are switched off and stay readable. */
export function customiseTemplate(
  template: string,
  answers: Answers,
  { variables, composeFile }: Findings,
): string {
  const { name, mintUrl, backendUrl, signalingUrl } = answers
  const key = variables.find(
    (candidate) => candidate.endsWith('_KEY') && /CALLING|MINT|SERVICE/.test(candidate),
  )
  let text = setValue(template, 'MINT_URL', mintUrl)
  text = setValue(text, 'BACKEND_URL', backendUrl)
  text = setValue(text, 'SIGNALING_URL', signalingUrl)
  if (key !== undefined) text = setValue(text, 'CALLING_API_KEY', `\${${key}}`)
  text = text.replace(/^name: \S+/m, () => `name: ${JSON.stringify(name)}`)
  if (composeFile !== null)
    text = text.replace('#compose: docker-compose.yml', () => `#compose: ${composeFile}`)
  if (mintUrl === null) text = switchOff(text, /^mint:/)
  if (backendUrl === null) text = switchOff(text, /^backend:/)
  if (signalingUrl === null) return switchOff(text, /^signaling:/)
  const noted = text.replace(
    /^( {2})profile: .*$/m,
    (line, indent: string) =>
      `${indent}# twotoken detect --write detects the profile and writes it here\n${line}`,
  )
  return switchOff(noted, /^ {2}profile:/)
}

function setValue(text: string, variable: string, value: string | null): string {
  if (value === null) return text
  return text.replace(`\${${variable}}`, () => (value.startsWith('${') ? value : JSON.stringify(value)))
}

/** Puts a # before the key and everything below it, the form of the template for what is switched off. */
function switchOff(text: string, start: RegExp): string {
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
