import { env } from 'node:process'
import { InvalidArgumentError } from 'commander'

export const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export const parseWholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('use a whole number.')
  return Number(text)
}

export const collect = (value: string, before: readonly string[]): string[] => [...before, value]

/** `name=value`, where the value may be `env:NAME`. */
export const parseCredential = (
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> => {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const given = value.startsWith('env:') ? env[value.slice('env:'.length)] : value
  if (name === '' || given === undefined || given === '')
    throw new InvalidArgumentError('use NAME=VALUE, or NAME=env:VARIABLE with a variable that is set.')
  return { ...before, [name]: given }
}
