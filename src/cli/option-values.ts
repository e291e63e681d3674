import { env } from 'node:process'
import { InvalidArgumentError } from 'commander'
import { type AskedReport, listFormats } from '../reports/formats.ts'

export const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export const parseWholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('use a whole number.')
  return Number(text)
}

/** An amount, such as minutes, also parts of one. */
export const parsePositive = (text: string): number => {
  if (!/^\d+(?:\.\d+)?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('use a number above 0, such as 5 or 0.5.')
  return Number(text)
}

export const parseDay = (text: string): string => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  if (!isDay || text < new Date().toISOString().slice(0, text.length))
    throw new InvalidArgumentError('use a day that is not over, such as 2027-01-31.')
  return text
}

/** An address, or a variable that has it. */
export const parseHttpUrl = (text: string): string => {
  const isUrl = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
  if (!isUrl && !text.includes('${'))
    throw new InvalidArgumentError('use an http or https URL, such as http://127.0.0.1:3000/calling/token.')
  return text
}

export const collect = (value: string, before: readonly string[]): string[] => [...before, value]

/** `name=value`, where the value may be `env:NAME`. */
export const parseCredential = (
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> => {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const given = readSecret(value)
  if (name === '' || given === undefined || given === '')
    throw new InvalidArgumentError('use NAME=VALUE, or NAME=env:VARIABLE with a variable that is set.')
  return { ...before, [name]: given }
}

/** A secret itself, or `env:NAME` for the one in a variable: arguments are visible to other users of the machine. */
export function parseSecret(text: string): string {
  const secret = readSecret(text)
  if (secret === undefined || secret === '')
    throw new InvalidArgumentError('use env:VARIABLE with a variable that is set.')
  return secret
}

function readSecret(text: string): string | undefined {
  return text.startsWith('env:') ? env[text.slice('env:'.length)] : text
}

/** Reads `FORMAT=FILE` for commander; an unknown format ends the command before anything is judged. */
export function parseReport(
  formats: Readonly<Record<string, unknown>>,
): (text: string, before: readonly AskedReport[]) => AskedReport[] {
  return (text, before) => {
    const at = text.indexOf('=')
    const report = { format: text.slice(0, Math.max(at, 0)), file: text.slice(at + 1) }
    if (!Object.hasOwn(formats, report.format) || report.file === '')
      throw new InvalidArgumentError(`use FORMAT=FILE with one of ${listFormats(formats)}.`)
    return [...before, report]
  }
}
