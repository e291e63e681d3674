import { createHmac } from 'node:crypto'
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
  /** What the configuration names, and what the suite has sent. */
  readonly names?: ReadonlySet<string>
  /** What is not to be read even where words make it up. */
  readonly secrets?: readonly string[]
}

/** Letters of unknown short runs that may still be shown. */
export interface Allowance {
  letters: number
}

/** Fewer than eight characters of anything that is not known. */
export function newAllowance(): Allowance {
  return { letters: 7 }
}

/** A run that is longer is shown only if it is a word. */
const longestUnknown = 4
/** More digits are an id, or a time that says nothing. */
const longestNumber = 6
/** Numbers of one text besides times and places, and numbers in a row. */
const mostNumbers = 7
const mostInRow = 6
/** Signs in a row, of several kinds; more may be a code. */
const mostSigns = 12
const mostBlanks = 40

export function createMask({ fingerprintKey, names = new Set(), secrets = [] }: MaskOptions): Mask {
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
    const letters = hideUnknown(pieces, allowance, isOwn)
    if (!isOwn) hideNumbers(pieces, mostNumbers - letters)
    if (!isOwn) hideSecretWords(pieces, hasSecret)
    return render(pieces, show)
  }

  const maskText = (text: string, allowance: Allowance, isOwn: boolean): string =>
    splitAtLabels(text)
      .map((part) => (part.isLabel ? part.text : maskPart(part.text, allowance, isOwn)))
      .join('')

  return {
    text: (text, allowance = newAllowance()) =>
      maskText(
        collapseMarkup(text, (content) => show(content, 'character')),
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
  isHidden: boolean
}

const unit = /^\d{1,5}(?:ms|s|m|h|d|k|kb|mb|gb|b|px|em|rem|pt|st|nd|rd|th|x)$/i

function classify(text: string, vocabulary: Vocabulary): Judged[] {
  const ranges = harmlessRanges(text)
  let at = 0
  let next = 0
  const pieces = cutIntoPieces(text).map(({ kind, source, text: read }) => {
    const start = at
    at += source.length
    if (kind === 'between') return { kind, source, text: read, isHidden: false }
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
 * What is unknown and stands side by side is one thing that was cut: it is shown only if all of it is short. Returns how
 * many letters of it are shown.
 */
function hideUnknown(pieces: readonly Judged[], allowance: Allowance, isOwn: boolean): number {
  let shown = 0
  for (const row of rowsOf(pieces)) {
    const unknown = row.filter(({ kind }) => kind === 'unknown')
    // A word of two letters that is surrounded is a piece of what surrounds it.
    const cut = row.filter(({ kind }) => kind !== 'number')
    const letters = unknown.reduce((sum, { text }) => sum + text.length, 0)
    const isPlain = unknown.every(({ text }) => /^[A-Za-z0-9]+$/.test(text))
    if (row.length > mostInRow && !(isOwn && unknown.length === 0)) for (const one of row) one.isHidden = true
    else if (letters > longestUnknown || !isPlain || letters > allowance.letters)
      for (const one of cut) one.isHidden = true
    else {
      allowance.letters -= letters
      shown += letters
    }
  }
  hideNumbersBeside(pieces)
  return shown
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
    } else if (row.length > 0 && piece.kind === 'known' && /^[A-Za-z]{1,2}$/.test(piece.text))
      waiting.push(piece)
    else end()
  }
  end()
  return rows
}

/** What joins two pieces of one thing: `550e8400-e29b-4111`. */
const tight = /^(?:[-_.~+/* ]|%2[bdef])$/i

/** A number that is joined to something hidden is a piece of it. */
function hideNumbersBeside(pieces: readonly Judged[]): void {
  const isJoined = (index: number, step: 1 | -1) => {
    const joint = pieces[index + step]
    const other = pieces[index + 2 * step]
    return (
      joint?.kind === 'between' &&
      tight.test(joint.source) &&
      joint.source !== ' ' &&
      other?.isHidden === true
    )
  }
  for (const [index, piece] of pieces.entries())
    if (piece.kind === 'number' && isJoined(index, -1)) piece.isHidden = true
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index]
    if (piece?.kind === 'number' && isJoined(index, 1)) piece.isHidden = true
  }
}

/** Numbers may be the codes of characters: as many as make a secret are hidden. */
function hideNumbers(pieces: readonly Judged[], most: number): void {
  const shown = pieces.filter(({ kind, isHidden }) => kind === 'number' && !isHidden)
  for (const one of shown.slice(most)) one.isHidden = true
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
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece === undefined) break
    if (piece.kind === 'between') text += showSigns(piece, show)
    else if (!piece.isHidden) text += piece.text
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
  if (signs.length > mostSigns && new Set(signs).size > 1) return show(source, 'sign')
  return source.replaceAll(/[^\S\n]{2,}/g, (blanks) =>
    / /.test(blanks) && /[^ ]/.test(blanks) ? ' ' : blanks.slice(0, mostBlanks),
  )
}

/** Styles, scripts and pictures of a page: a reader looks for its words. */
const contents = /(<(style|script|svg)\b[^>]{0,2000}>)([\s\S]*?)(<\/\2\s*>|$)/gi

function collapseMarkup(text: string, show: (content: string) => string): string {
  if (!/<(?:style|script|svg)\b/i.test(text)) return text
  return text.replaceAll(contents, (whole, open: string, _: string, content: string, close: string) =>
    content.trim() === '' ? whole : `${open}${show(content)}${close}`,
  )
}

const quotes = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”/g

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
