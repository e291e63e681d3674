import { createHmac } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { splitAtLabels } from './labels.ts'
import { harmlessRanges } from './patterns.ts'
import { cutIntoPieces } from './pieces.ts'
import { createSecretWindows } from './secret-windows.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'

/**
 * Shows what is known to be harmless: the structure of a text, words, short numbers. Every other run becomes its length
 * and a fingerprint that is keyed per run, so that equal things are seen to be equal. It hides a credential in any
 * encoding, since it looks for none. It runs after the redactor, whose labels stay.
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

/** Letters of unknown short runs, and digits of unknown numbers, that may still be shown. */
export interface Allowance {
  letters: number
  digits: number
}

/** Together with the signs between them fewer than eight characters of anything that is not known. */
export function newAllowance(): Allowance {
  return { letters: 4, digits: 5 }
}

/** A run that is longer is shown only if it is a word. */
const longestUnknown = 4
/** The same for several, with the numbers and signs between them. */
const widest = 6
/** More digits are an id, or a time that says nothing. */
const longestNumber = 6
/** Numbers of one text besides times and places, and numbers in a row. */
const mostNumbers = 7
const mostInRow = 7
/** Signs in a row, of several kinds; more may be a code. So may dots and dashes. */
const mostSigns = 12
const mostDotsAndDashes = 3
const mostOdd = 3
const mostMixtures = 2
const mostLone = 5
const mostEscaped = 4
const mostBlanks = 40

export function createMask({ fingerprintKey, names = new Set(), secrets = [] }: MaskOptions): Mask {
  // A PIN is a number, and a short password may be a word.
  const short = new Set(secrets.filter(({ length }) => length > 1 && length < 8))
  const vocabulary = rememberWords(createVocabulary(names))
  const hasSecret = createSecretWindows(secrets)

  const show = (run: string, what: string) => {
    const count = [...run].length
    const counted = `${count} ${count === 1 ? what : `${what}s`}`
    // Equal letters would show how a secret is built that is cut into letters.
    if (run.length <= longestUnknown) return `‹${counted}›`
    const fingerprint = createHmac('sha256', fingerprintKey).update(`mask\n${run}`).digest('hex').slice(0, 4)
    return `‹${counted} #${fingerprint}›`
  }

  const maskPart = (text: string, allowance: Allowance, isOwn: boolean): string => {
    const pieces = classify(text, vocabulary)
    hideUnknown(pieces, allowance)
    if (!isOwn) hideNumbers(pieces, allowance)
    if (!isOwn) hideSecretWords(pieces, hasSecret)
    if (!isOwn)
      for (const piece of pieces) piece.isHidden ||= piece.kind !== 'between' && short.has(piece.text)
    return render(pieces, show)
  }

  const maskText = (text: string, allowance: Allowance, isOwn: boolean): string =>
    splitAtLabels(text)
      .map((part) => (part.isLabel ? part.text : maskPart(part.text, allowance, isOwn)))
      .join('')

  return {
    text: (text, allowance = newAllowance()) =>
      maskText(
        collapseMarkup(text.replaceAll(colours, ''), (content) => show(content, 'character')),
        allowance,
        false,
      ),
    sentence(text) {
      const allowance = newAllowance()
      return splitAtQuotes(text)
        .map((part) => maskText(part.text, allowance, !part.isQuoted))
        .join('')
    },
  }
}

/** Names and words come again and again. */
function rememberWords(vocabulary: Vocabulary): Vocabulary {
  const known = new Map<string, boolean>()
  return {
    isName: vocabulary.isName,
    isKnown(run) {
      const answer = known.get(run) ?? vocabulary.isKnown(run)
      if (known.size < 20_000) known.set(run, answer)
      return answer
    },
  }
}

/** A piece of a text with what becomes of it. */
interface Judged {
  kind: 'between' | 'name' | 'known' | 'number' | 'unknown'
  readonly source: string
  readonly text: string
  /** Dashes and underscores at its ends, which may be characters of what was cut. */
  joints: number
  /** Its place among the pieces. */
  at: number
  isHidden: boolean
}

/** Statuses, lifetimes and ports, of which a reader has to know. */
const commonNumbers: ReadonlySet<string> = new Set([
  ...Object.keys(STATUS_CODES),
  ...'60 120 300 600 900 1800 3600 7200 86400 80 443 3000 5000 8000 8080 8443'.split(' '),
  ...'1000 1001 1002 1003 1006 1007 1008 1009 1011 1012 1013 4000 4001 4003 4401 4403 4429'.split(' '),
])

const unit = /^\d{1,5}(?:ms|s|m|h|d|k|kb|mb|gb|b|px|em|rem|pt|st|nd|rd|th|x)$/i

function classify(text: string, vocabulary: Vocabulary): Judged[] {
  const ranges = harmlessRanges(text)
  let at = 0
  let next = 0
  const pieces = cutIntoPieces(text).map(({ kind, source, text: read }) => {
    const start = at
    at += source.length
    if (kind === 'between') return { kind, source, text: read, joints: 0, at: 0, isHidden: false }
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1
    const range = ranges[next]
    const isHarmless = range !== undefined && range.start <= start && at <= range.end
    return {
      kind: isHarmless ? 'known' : kindOf(read, vocabulary),
      source,
      text: read,
      isHidden: false,
    } as Judged
  })
  for (const [index, piece] of pieces.entries()) {
    piece.at = index
    const [before, after] = [pieces[index - 1]?.text ?? '', pieces[index + 1]?.text ?? '']
    piece.joints = (/[-_]$/.test(before) ? 1 : 0) + (/^[-_]/.test(after) ? 1 : 0)
  }
  for (const [index, piece] of pieces.entries()) joinName(piece, pieces[index - 1], pieces[index - 2])
  for (const [index, piece] of [...pieces.entries()].toReversed())
    joinName(piece, pieces[index + 1], pieces[index + 2])
  return pieces
}

/** A number in a name that is known as a whole belongs to it: `tt-3f9-12`. */
function joinName(piece: Judged, joint: Judged | undefined, other: Judged | undefined): void {
  if (piece.kind === 'number' && other?.kind === 'name' && /^[-_]$/.test(joint?.source ?? ''))
    piece.kind = 'name'
}

function kindOf(run: string, vocabulary: Vocabulary): Judged['kind'] {
  if (/^\d+$/.test(run) && run.length <= longestNumber) return 'number'
  if (vocabulary.isName(run)) return 'name'
  if (vocabulary.isKnown(run)) return 'known'
  return unit.test(run) ? 'number' : 'unknown'
}

/**
 * Takes unknown pieces side by side for one thing that was cut: shown only if all of it is short.
 */
function hideUnknown(pieces: readonly Judged[], allowance: Allowance): void {
  for (const row of rowsOf(pieces)) {
    const unknown = row.filter(({ kind }) => kind === 'unknown')
    // A word of two letters that is surrounded is a piece of what surrounds it.
    const cut = row.filter(({ kind }) => kind !== 'number')
    const letters = unknown.reduce((sum, one) => sum + one.text.length + one.joints, 0)
    const isWide = unknown.length > 0 && extentOf(row, pieces) > widest
    const isPlain = unknown.every(({ text }) => /^[A-Za-z0-9]+$/.test(text))
    if (letters > longestUnknown || !isPlain || letters > allowance.letters)
      for (const one of cut) one.isHidden = true
    else if (!isWide && row.length <= mostInRow) {
      allowance.letters -= letters
      allowance.digits -= letters
    } else for (const one of row) one.isHidden = true
    const isCut = row.length > 2 && unknown.some(({ isHidden }) => isHidden)
    if (row.length > mostInRow || isCut) for (const one of row) one.isHidden = true
  }
  hideJoined(pieces)
}

/** Characters from the first of a row to its last, without blanks: signs may be characters of what was cut. */
function extentOf(row: readonly Judged[], pieces: readonly Judged[]): number {
  const [first, last] = [row[0]?.at ?? 0, row.at(-1)?.at ?? 0]
  return pieces.slice(first, last + 1).reduce((sum, { text }) => sum + text.replaceAll(/\s/g, '').length, 0)
}

/** `id` in `{"id":…`. */
function isMember(after: Judged | undefined): boolean {
  return /^"\s*:/.test(after?.text ?? '')
}

/** A word of two letters, or of three that is joined to something. */
function isPieceLike({ text, joints }: Judged): boolean {
  return text.length <= 2 || (text.length === 3 && joints > 0)
}

/** Rows of unknown runs and numbers, with nothing but signs between them and words of one or two letters. */
function rowsOf(pieces: readonly Judged[]): Judged[][] {
  const rows: Judged[][] = []
  let row: Judged[] = []
  let waiting: Judged[] = []
  const end = () => {
    if (row.length > 0) rows.push(row)
    row = []
    waiting = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'between') continue
    if (piece.kind === 'unknown' || piece.kind === 'number') {
      row.push(...waiting, piece)
      waiting = []
    } else if (
      piece.kind === 'known' &&
      row.length > 0 &&
      isPieceLike(piece) &&
      !isMember(pieces[piece.at + 1])
    )
      waiting.push(piece)
    else end()
  }
  end()
  return rows
}

/** Joins two pieces of one thing: `550e8400-e29b-4111`. */
const tight = /^(?:[-_.~+/* ]|%2[bdef])$/i

/** Signs by which a text is cut, and which no syntax has. */
const glue = /^[-_~+*`\\^$|%#@!.]{1,2}$/

/** A number, or a word of two letters, that is joined to something hidden is a piece of it. */
function hideJoined(pieces: readonly Judged[]): void {
  const join = (piece: Judged, joint: Judged | undefined, other: Judged | undefined) => {
    if (other?.isHidden !== true || !glue.test(joint?.text ?? '')) return
    const isWord = piece.kind === 'known' && piece.text.length <= 2 && joint?.text !== '.'
    if (piece.kind === 'number' || isWord) piece.isHidden = true
  }
  for (const [index, piece] of pieces.entries()) join(piece, pieces[index - 1], pieces[index - 2])
  for (const [index, piece] of [...pieces.entries()].toReversed())
    join(piece, pieces[index + 1], pieces[index + 2])
}

/** Numbers may be a secret of digits, or the codes of its characters: as many as make a secret are hidden. */
function hideNumbers(pieces: readonly Judged[], allowance: Allowance): void {
  const numbers = pieces.filter(({ kind, isHidden }) => kind === 'number' && !isHidden)
  let count = 0
  for (const one of numbers) {
    const digits = commonNumbers.has(one.text) ? 0 : one.text.length + one.joints
    one.isHidden = digits > allowance.digits || count === mostNumbers
    if (one.isHidden) continue
    allowance.digits -= digits
    count += 1
  }
}

/** Words that are shown one after the other must not be those of a secret. */
function hideSecretWords(pieces: readonly Judged[], find: ReturnType<typeof createSecretWindows>): void {
  const shown = pieces.filter(({ kind, isHidden }) => kind !== 'between' && !isHidden)
  for (const index of find(shown.map(({ text }) => text))) {
    const piece = shown[index]
    if (piece !== undefined) piece.isHidden = true
  }
}

function render(pieces: readonly Judged[], show: (run: string, what: string) => string): string {
  let text = ''
  let mixtures = 0
  let lone = 0
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece === undefined) break
    if (piece.kind === 'between') {
      const isMixture = /[.]/.test(piece.text) && /-/.test(piece.text)
      const isLone = /[\s"'>][.-]{1,5}[\s"'<]/.test(piece.text)
      if (isMixture) mixtures += 1
      if (isLone) lone += 1
      text +=
        (isMixture && mixtures > mostMixtures) || (isLone && lone > mostLone)
          ? show(piece.source, 'sign')
          : showSigns(piece, show)
    } else if (!piece.isHidden) text += piece.text
    else {
      let whole = piece.text
      while (pieces[index + 2]?.isHidden === true && tight.test(pieces[index + 1]?.source ?? '')) {
        whole += `${pieces[index + 1]?.text}${pieces[index + 2]?.text}`
        index += 2
      }
      text += show(whole, 'character')
    }
  }
  return text
}

/** Blanks and signs can be a code as well. */
function showSigns({ source, text }: Judged, show: (run: string, what: string) => string): string {
  const signs = text.replaceAll(/\s/g, '')
  const escapes = source.match(/&#|\\[ux]|%/g)?.length ?? 0
  const dots = signs.replaceAll(/[^.-]/g, '')
  const isCode = dots.length > mostDotsAndDashes && new Set(dots).size > 1
  const isEscaped = text.length > mostEscaped && source.length >= 3 * text.length
  const odd = new Set(signs.replaceAll(/[\s{}[\]"':,<>/=();.-]/g, ''))
  if (
    isCode ||
    isEscaped ||
    odd.size > mostOdd ||
    (signs.length + 3 * escapes > mostSigns && new Set(signs).size > 1)
  )
    return show(source, 'sign')
  return source.replaceAll(/[^\S\n]{2,}/g, (blanks) =>
    / /.test(blanks) && /[^ ]/.test(blanks) ? ' ' : blanks.slice(0, mostBlanks),
  )
}

/** Colours of a terminal, as they are and in JSON: what is printed in them may be a word. */
const colours = new RegExp(`(?:${String.fromCharCode(27)}|\\\\u001b)\\[[\\d;]{0,20}m`, 'gi')

/** Styles, scripts and pictures of a page: a reader looks for its words. */
const contents = /(<(style|script|svg)\b[^>]{0,2000}>)([\s\S]*?)(<\/\2\s*>|$)/gi

function collapseMarkup(text: string, show: (content: string) => string): string {
  if (!/<(?:style|script|svg)\b/i.test(text)) return text
  return text.replaceAll(contents, (whole, open: string, _: string, content: string, close: string) =>
    content.trim() === '' ? whole : `${open}${show(content)}${close}`,
  )
}

const quotes = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*(?:”|$)/gm

function splitAtQuotes(text: string): { readonly isQuoted: boolean; readonly text: string }[] {
  const parts: { isQuoted: boolean; text: string }[] = []
  let from = 0
  for (const { index, 0: quoted } of text.matchAll(quotes)) {
    parts.push({ isQuoted: false, text: text.slice(from, index) }, { isQuoted: true, text: quoted })
    from = index + quoted.length
  }
  parts.push({ isQuoted: false, text: text.slice(from) })
  return parts
}
