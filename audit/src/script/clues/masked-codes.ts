const list = /(?:(?:0[xX][0-9a-fA-F]{1,2}|\d{1,3})\s*,\s*){7,}/g
/** Seven digits with as many commas. */
const shortestList = 14
const leastCommas = 7
const mostNumbers = 200_000

/**
 * Says whether a list of numbers may be the codes of a text with the prefix, in either direction. The
 * same number shifts or masks each code: the steps from one to the next are those of the prefix.
 */
export function hasMaskedCodes(script: Buffer, prefix: string): boolean {
  const codes = [...prefix].map((char) => char.charCodeAt(0))
  const wanted = [codes, [...codes].reverse()].flatMap((order) => [steps(order, shift), steps(order, mask)])
  let left = mostNumbers
  for (const match of listsIn(script)) {
    const numbers = match.split(',', left).map(Number)
    // The last one has no comma behind it: the prefix is never the end of what is looked for.
    left -= numbers.length
    if (left <= 0) return true
    for (const step of [shift, mask]) {
      const found = `,${steps(numbers, step)}`
      if (wanted.some((those) => found.includes(`,${those}`))) return true
    }
  }
  return false
}

function* listsIn(script: Buffer): Generator<string> {
  for (const [start, end] of stretchesIn(script))
    for (const [match] of script.toString('latin1', start, end).matchAll(list)) yield match
}

/** Characters of a list of numbers: the digits of both kinds of numbers, commas and white space. */
const isOfLists = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\da-fA-FxX,\s]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const comma = 0x2c

/** The stretches that are made of nothing else, where they can be a list: `[start, end)`. */
function* stretchesIn(script: Buffer): Generator<readonly [start: number, end: number]> {
  const { length } = script
  let start = 0
  let last = shortestList - 1
  while (last < length) {
    // A list that begins here holds this byte: most bytes of a script need not be looked at.
    if (isOfLists[script[last] as number] === 0) {
      start = last + 1
      last += shortestList
      continue
    }
    let other = last - 1
    while (other >= start && isOfLists[script[other] as number] === 1) other -= 1
    if (other < start) {
      let end = last + 1
      while (end < length && isOfLists[script[end] as number] === 1) end += 1
      if (hasCommas(script, start, end)) yield [start, end]
      other = end
    }
    start = other + 1
    last = other + shortestList
  }
}

function hasCommas(script: Buffer, start: number, end: number): boolean {
  let commas = 0
  for (let at = start; at < end && commas < leastCommas; at++) if (script[at] === comma) commas += 1
  return commas === leastCommas
}

const shift = (from: number, to: number) => to - from
const mask = (from: number, to: number) => from ^ to

function steps(numbers: readonly number[], step: (from: number, to: number) => number): string {
  return numbers
    .slice(1)
    .map((number, at) => `${step(numbers[at] ?? 0, number)},`)
    .join('')
}

/** A list with fewer numbers holds no key. */
export const fewestListed = 14
const mostListed = 120
const near = 400
const nearPicks = 16_384
const numberList =
  /\[\s{0,9}((?:(?:0x[0-9a-fA-F]{1,2}|\d{1,3})\s{0,9},\s{0,9}){13,120}(?:0x[0-9a-fA-F]{1,2}|\d{1,3})),?\s{0,9}\]/g
/** `table[i]).join(`, as a callback that picks characters ends, which may be in another function than the numbers. */
export const pickedFromTable = /\[[\w$]{1,20}\]\s{0,9}(?:;\s{0,9})?\}?\s{0,9}\)\s{0,9}\.join\(/
const madeToText = /^\.(?:map|reduce)\(|fromCharCode|fromCodePoint|TextDecoder|charAt\(|Buffer\.from/
const mostLists = 200

/** Says whether numbers are as many and as small as those of a key, and a text is made near them. */
export function hasListedCodes(script: string): boolean {
  let lists = 0
  for (const { index, 0: match, 1: items = '' } of script.matchAll(numberList)) {
    if (++lists > mostLists) return false
    if (!areListedCodes(items.split(',').map(Number))) continue
    const end = index + match.length
    if (pickedFromTable.test(script.slice(Math.max(0, index - nearPicks), end + nearPicks))) return true
    const around = [script.slice(end, end + near), script.slice(Math.max(0, index - near), index)]
    if (around.some((text) => madeToText.test(text))) return true
  }
  return false
}

/** Says whether numbers may be the codes or places of a key's characters: no table counts up or down so unevenly. */
export function areListedCodes(numbers: readonly number[]): boolean {
  if (numbers.length < fewestListed || numbers.length > mostListed) return false
  if (!numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 256)) return false
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0))
  const rising = steps.filter((step) => step > 0).length
  const falling = steps.filter((step) => step < 0).length
  return Math.min(rising, falling) * 4 >= steps.length && new Set(numbers).size >= 8
}
