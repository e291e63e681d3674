import { expect, test } from 'vitest'
import { createRandom } from '../../base/seeded-random.ts'
import { auditFiles, key } from '../testing/audit-files.ts'
import type { Excerpt } from './excerpt.ts'

const settings = { isDetailed: true, mintHost: 'api.acme.example' }

async function excerptsIn(text: string | Buffer, name = 'a.js'): Promise<(Excerpt | undefined)[]> {
  const { findings } = await auditFiles({ [name]: text }, settings)
  return findings.map(({ excerpt }) => excerpt)
}

test('a key in its line, without what else in it may be secret', async () => {
  const line = `start({region:"eu-west-7",apiKey:"${key}",timeout:3000,password:"hunter2",again:"${key}"})`
  expect((await excerptsIn(`let a\n${line}\nlet b`))[0]).toEqual({
    of: 'text',
    before: 'start({region:"…",apiKey:"',
    after: '",timeout:…,password:"…",again:"…"})',
  })
})

test('an address, a key in base64, one in a binary, and one in UTF-16', async () => {
  expect(await excerptsIn('fetch(`https://api.acme.example/api/v1/calling/token`, options)')).toEqual([
    { of: 'text', before: 'fetch(`', after: '`, options)' },
  ])
  expect(await excerptsIn(`const e = atob("${btoa(`user:${key}`)}")`)).toEqual([
    { of: 'text', before: 'const e = atob("', after: '")' },
  ])
  const [binary] = await excerptsIn(Buffer.from(`\0\x01https://host.example\0${key}\0next\0`), 'a.bin')
  expect(binary).toEqual({ of: 'text', before: '·https://host.example·', after: '·next·' })
  const [wide] = await excerptsIn(Buffer.from(` name=${key} and more`, 'utf16le'), 'a.txt')
  expect(wide).toEqual({ of: 'text', before: 'name=', after: ' and more' })
})

test('what a script assembles, behind the code in front of it', async () => {
  const pieces = JSON.stringify(key.match(/.{1,5}/g))
  expect(await excerptsIn(`let ü; const header = ["Bearer ", ...${pieces}].join("")`)).toEqual([
    { of: 'expression', before: 'let ü; const header = "Bearer ', after: '"' },
  ])
})

test('two hundred characters at most, and nothing that a terminal follows', async () => {
  const wide = 'some words and "資料 𝒳" \u001b[31m \u202e '.repeat(30)
  const [excerpt] = await excerptsIn(`${wide}"${key}"${wide}`)
  expect(excerpt?.before).toMatch(/^….{80,99}$/su)
  expect(excerpt?.after).toMatch(/^.{80,99}…$/su)
  expect(`${excerpt?.before}${excerpt?.after}`).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u)
})

const random = createRandom(7)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const secretOf = (length: number) => Array.from({ length }, () => pick([...letters])).join('')
const cut = (secret: string) => secret.match(new RegExp(`.{1,${1 + Math.floor(random() * 12)}}`, 'g')) ?? []
const spellings: readonly ((secret: string) => string)[] = [
  (secret) => `["ac_live_",${cut(secret).map((piece) => `"${piece}"`)}].join("")`,
  (secret) => ['ac_live_', ...cut(secret)].map((piece) => `'${piece}'`).join('+'),
  (secret) => `String.fromCharCode(${[...secret].map((letter) => letter.charCodeAt(0))})`,
  (secret) => `"${[...secret].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join('')}"`,
  (secret) => `{token:"${secret}",password:"${secret}"}`,
  (secret) => `\`${cut(secret).join(`$${'{e}'}`)}\``,
  (secret) => btoa(secret),
  (secret) => `https://user:${secret}@host.example/${secret}?key=${secret}`,
]

test('no more than a few letters of a secret beside a finding are shown, however it is spelled', async () => {
  let shownCharacters = 0
  let characters = 0
  for (let round = 0; round < 60; round++) {
    const secrets = [secretOf(32), secretOf(32)] as const
    const [one, other] = secrets.map((secret) => pick(spellings)(secret))
    const excerpts = await excerptsIn(`var e=${one},k="${key}",t=${other};`)
    const shown = excerpts.map((excerpt) => `${excerpt?.before} ${excerpt?.after}`).join(' ')
    expect(shown).not.toContain(key.slice(8, 14))
    for (const secret of secrets) {
      characters += secret.length
      for (let at = 0; at + 4 <= secret.length; at += 4)
        if (shown.includes(secret.slice(at, at + 4))) shownCharacters += 4
    }
  }
  // Letters that happen to be a word.
  expect(shownCharacters / characters).toBeLessThan(0.02)
})
