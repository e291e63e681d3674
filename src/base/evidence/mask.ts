import { createHmac } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { harmlessRanges } from './harmless-ranges.ts'
import { cutIntoPieces } from './pieces.ts'
import { changeQuotes, outsideLabels } from './secret-label.ts'
import { createWords } from './words.ts'

/**
 * Shows what is known to be harmless: the structure of a text, words, short numbers. Every other run becomes its length
 * and a fingerprint that is keyed per run, so that equal things are seen to be equal. It hides a credential in any
 * encoding, since it looks for none. Labels stay.
 */
export interface Mask {
  /** Text of a peer. Texts that share an allowance are one text to a peer that cuts something in pieces. */
  text(text: string, allowance?: Allowance): string
  /** A sentence of the suite's own, which may quote a peer. */
  sentence(text: string): string
}

export interface MaskOptions {
  readonly fingerprintKey: string
  /** Names of the configuration, and texts that the suite has sent. */
  readonly names?: ReadonlySet<string>
  /** Texts that may not be read even where words make them up. */
  readonly secrets?: readonly string[]
}

/** Digits of numbers, and single letters, that may still be shown. */
export interface Allowance {
  digits: number
}

/** Together with the signs between them fewer than eight characters. */
export function newAllowance(): Allowance {
  return { digits: 6 }
}

/** Numbers of one text besides times and places, and pieces in a row. */
const mostNumbers = 6
const mostInRow = 7
/** A run without a fingerprint. */
const longestPlain = 4
/** Signs in a row, of several kinds; more may be a code. */
const mostSigns = 12
const mostBlanks = 40
/** Dots and dashes that stand alone. */
const mostLone = 5

export function createMask({ fingerprintKey, names = new Set(), secrets = [] }: MaskOptions): Mask {
  const isWord = createWords()
  const findSecretWords = createSecretWindows(secrets)
  const kindOf = (run: string): Kind => {
    if (/^(?:\d{1,6}|[A-Za-z])$/.test(run)) return 'number'
    if (names.has(run)) return 'name'
    if (commonNumbers.has(run) || isWord(run)) return 'word'
    return numbered.test(run) ? 'number' : 'unknown'
  }

  const show = (hidden: string, what = 'character') => {
    const count = [...hidden].length
    const counted = `${count} ${count === 1 ? what : `${what}s`}`
    // Equal letters would show how a secret is built that is cut into letters.
    if (hidden.length <= longestPlain) return `‹${counted}›`
    const digest = createHmac('sha256', fingerprintKey).update(`mask\n${hidden}`).digest('hex')
    return `‹${counted} #${digest.slice(0, 4)}›`
  }

  const maskPart = (allowance: Allowance, isOwn: boolean) => (text: string) => {
    const pieces = classify(text, kindOf)
    hideUnknown(pieces)
    if (!isOwn) {
      hideNumbers(pieces, allowance)
      const shown = pieces.filter(({ kind, isHidden }) => kind !== 'between' && !isHidden)
      for (const piece of findSecretWords(shown)) piece.isHidden = true
    }
    return render(pieces, show)
  }
  const mask = (text: string, allowance: Allowance) => {
    const read = text
      .replaceAll(colours, '')
      .replaceAll(contents, (_, open: string, _name, content: string) => open + (content && show(content)))
    return outsideLabels(read, maskPart(allowance, false))
  }

  return {
    text: (text, allowance = newAllowance()) => mask(text, allowance),
    sentence(text) {
      const allowance = newAllowance()
      const own = (part: string) => outsideLabels(part, maskPart(allowance, true))
      return changeQuotes(text, (quoted) => mask(quoted, allowance), own)
    },
  }
}

type Kind = 'between' | 'name' | 'word' | 'number' | 'unknown'

interface Judged {
  kind: Kind
  readonly source: string
  readonly text: string
  readonly at: number
  /** Dashes and underscores at its ends, which may be characters of what was cut. */
  readonly joints: number
  isHidden: boolean
}

/** Statuses, lifetimes, ports, limits and close codes, of which a reader has to know. */
const commonNumbers: ReadonlySet<string> = new Set([
  ...Object.keys(STATUS_CODES),
  ...'60 120 300 600 900 1800 3600 7200 86400 15552000 31536000 63072000'.split(' '),
  ...'80 443 3000 5000 5432 6379 8000 8080 8443'.split(' '),
  ...'127 128 255 256 512 1024 2048 4096 8192 65535 65536'.split(' '),
  ...'1000 1001 1002 1003 1006 1007 1008 1009 1011 1012 1013 4000 4001 4003 4401 4403 4429'.split(' '),
])

/** `12ms`, `v22`, and codes of errors such as `TS7016`. */
const numbered =
  /^(?:\d{1,5}(?:ms|s|m|h|d|k|kb|mb|gb|b|px|em|rem|pt|st|nd|rd|th|x)|v\d{1,2}|(?=.{3,6}$)[A-Z]{1,3}\d{3,5})$/

function classify(text: string, kindOf: (run: string) => Kind): Judged[] {
  const ranges = harmlessRanges(text)
  const cut = cutIntoPieces(text)
  let end = 0
  const pieces = cut.map(({ kind, source, text: read }, at): Judged => {
    const begin = end
    end += source.length
    while ((ranges[0]?.end ?? Number.POSITIVE_INFINITY) <= begin) ranges.shift()
    const [range] = ranges
    const isHarmless = range !== undefined && range.start <= begin && end <= range.end
    const joints =
      Number(/[-_]$/.test(cut[at - 1]?.text ?? '')) + Number(/^[-_]/.test(cut[at + 1]?.text ?? ''))
    const own = kind === 'between' ? kind : isHarmless ? 'word' : kindOf(read)
    return { kind: own, source, text: read, at, joints, isHidden: false }
  })
  // A number in a name that is known as a whole belongs to it: `tt-3f9-12`.
  forJoined(pieces, (piece, joint, other) => {
    if (piece.kind === 'number' && other.kind === 'name' && /^[-_]$/.test(joint)) piece.kind = 'name'
  })
  return pieces
}

/** Looks at each piece with the one before it, and then, backwards, with the one behind it. */
function forJoined(
  pieces: readonly Judged[],
  look: (piece: Judged, joint: string, other: Judged) => void,
): void {
  for (const [step, order] of [
    [-1, pieces],
    [1, pieces.toReversed()],
  ] as const)
    for (const piece of order) {
      const other = pieces[piece.at + 2 * step]
      if (other !== undefined) look(piece, pieces[piece.at + step]?.text ?? '', other)
    }
}

/** Signs by which a text is cut, and which no syntax has. */
const glue = /^[-_~+*`\\^$|%#@!.]{1,2}$/

/** Hides what is unknown, and what may be a piece of it: the numbers and short words in the same row, or joined to it. */
function hideUnknown(pieces: readonly Judged[]): void {
  for (const row of rowsOf(pieces)) {
    const isCut = row.length > mostInRow || (row.length > 2 && row.some(({ kind }) => kind === 'unknown'))
    for (const one of row) one.isHidden = isCut || one.kind === 'unknown'
  }
  forJoined(pieces, (piece, joint, other) => {
    if (!other.isHidden || !glue.test(joint)) return
    const isShort = piece.kind === 'word' && piece.text.length <= 2 && joint !== '.'
    if (piece.kind === 'number' || isShort) piece.isHidden = true
  })
}

/** Rows of unknown runs and numbers, with nothing but signs between them and words of two letters, or of three that are joined. */
function rowsOf(pieces: readonly Judged[]): Judged[][] {
  const rows: Judged[][] = []
  let row: Judged[] = []
  let waiting: Judged[] = []
  for (const piece of pieces) {
    if (piece.kind === 'between') continue
    const isPart = piece.kind === 'unknown' || piece.kind === 'number'
    const isPartLike = piece.kind === 'word' && piece.text.length <= (piece.joints > 0 ? 3 : 2)
    // `id` in `{"id":…` is a name.
    const isMember = /^"\s*:/.test(pieces[piece.at + 1]?.text ?? '')
    if (isPart) {
      if (row.length === 0) rows.push(row)
      row.push(...waiting.splice(0), piece)
    } else if (row.length > 0 && isPartLike && !isMember) waiting.push(piece)
    else [row, waiting] = [[], []]
  }
  return rows
}

/** Numbers may be a secret of digits, or the codes of its characters: as many as make a secret are hidden. */
function hideNumbers(pieces: readonly Judged[], allowance: Allowance): void {
  const shown = new Set<string>()
  let count = 0
  for (const one of pieces) {
    if (one.kind !== 'number' || one.isHidden) continue
    const isFree = commonNumbers.has(one.text) || shown.has(one.text)
    const digits = isFree ? 0 : one.text.length + one.joints
    one.isHidden = digits > allowance.digits || count === mostNumbers
    if (one.isHidden) continue
    allowance.digits -= digits
    shown.add(one.text)
    count += 1
  }
}

/** Joins two pieces of one thing: `550e8400-e29b-4111`. */
const tight = /^(?:[-_.~+/* ]|%2[bdef])$/i

function render(pieces: readonly Judged[], show: (hidden: string, what?: string) => string): string {
  let text = ''
  let lone = 0
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece === undefined) break
    if (piece.kind === 'between') {
      if (/[\s"'>][.-]{1,5}[\s"'<]/.test(piece.text)) lone += 1
      text += isCode(piece) || lone > mostLone ? show(piece.source, 'sign') : narrow(piece.source)
    } else if (!piece.isHidden) text += piece.text
    else {
      let whole = piece.text
      while (pieces[index + 2]?.isHidden === true && tight.test(pieces[index + 1]?.source ?? '')) {
        whole += `${pieces[index + 1]?.text}${pieces[index + 2]?.text}`
        index += 2
      }
      text += show(whole)
    }
  }
  return text
}

/** Signs can be a code as well. */
function isCode({ source, text }: Judged): boolean {
  const signs = text.replaceAll(/\s/g, '')
  const escapes = source.match(/&#|\\[ux]|%/g)?.length ?? 0
  const dots = signs.replaceAll(/[^.-]/g, '')
  const isMorse = dots.length > 3 && new Set(dots).size > 1
  const isEscaped = text.length > 4 && source.length >= 3 * text.length
  const odd = new Set(signs.replaceAll(/[{}[\]"':,<>/=();.-]/g, ''))
  const isLong = signs.length + 3 * escapes > mostSigns && new Set(signs).size > 1
  return isMorse || isEscaped || odd.size > 3 || isLong
}

/** Blanks can be one, too. */
function narrow(signs: string): string {
  return signs.replaceAll(/[^\S\n]{2,}/g, (blanks) =>
    / /.test(blanks) && /[^ ]/.test(blanks) ? ' ' : blanks.slice(0, mostBlanks),
  )
}

/** Colours of a terminal, as they are and in JSON: what is printed in them may be a word. */
const colours = new RegExp(`(?:${String.fromCharCode(27)}|\\\\u001b)\\[[\\d;]{0,20}m`, 'gi')

/** Content of the styles, scripts and pictures of a page: a reader looks for its words. */
const contents = /(<(style|script|svg)\b[^>]{0,2000}>)([\s\S]*?)(?=<\/\2\s*>|$)/gi

/** So many letters of a secret in order are too many. */
const windowWidth = 8

/** Finds the runs that together have eight letters of a secret, forwards or backwards: it may be made of listed words. */
function createSecretWindows(secrets: readonly string[]) {
  const windows = new Set<string>()
  for (const secret of secrets) {
    const letters = lettersOf(secret)
    for (const text of [letters, [...letters].toReversed().join('')])
      for (let at = 0; at + windowWidth <= text.length; at += 1) windows.add(text.slice(at, at + windowWidth))
  }
  return <Run extends { readonly text: string }>(runs: readonly Run[]): ReadonlySet<Run> => {
    const found = new Set<Run>()
    if (windows.size === 0) return found
    const owners = runs.flatMap((run) => [...lettersOf(run.text)].map(() => run))
    const text = lettersOf(runs.map((run) => run.text).join(''))
    for (let at = 0; at + windowWidth <= text.length; at += 1)
      if (windows.has(text.slice(at, at + windowWidth)))
        for (const owner of owners.slice(at, at + windowWidth)) found.add(owner)
    return found
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
