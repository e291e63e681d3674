import { escapeMarkup } from './escape.ts'

/** Why a test case did not pass; without `text`, the element is empty. */
export interface JunitOutcome {
  readonly element: 'failure' | 'error' | 'skipped'
  readonly type?: string
  readonly message: string
  readonly text?: string
}

export interface JunitCase {
  readonly classname: string
  readonly name: string
  readonly time?: string
  /** Absent where the case passed. */
  readonly outcome?: JunitOutcome | undefined
  readonly systemOut?: string
}

type Attributes = Readonly<Record<string, string | number>>

interface JunitProperty {
  readonly name: string
  readonly value: string
}

export interface JunitSuite {
  readonly attributes: Attributes
  readonly properties?: readonly JunitProperty[]
  readonly cases: readonly JunitCase[]
}

export interface JunitDocument {
  readonly attributes: Attributes
  readonly suites: readonly JunitSuite[]
  /** Leaves out the line breaks between suites, and inside test cases. */
  readonly isCompact?: boolean
}

/** JUnit XML. Attributes are escaped but keep line breaks: a caller puts text of a peer on one line. */
export function writeJunit({ attributes, suites, isCompact = false }: JunitDocument): string {
  const layOut = (elements: readonly string[]) => (isCompact ? elements.join('') : lines(elements))
  const writeCase = ({ outcome, systemOut, ...named }: JunitCase) => {
    const content = [
      ...(outcome === undefined ? [] : [writeOutcome(outcome)]),
      ...(systemOut === undefined ? [] : [writeElement('system-out', {}, escapeMarkup(systemOut))]),
    ]
    return writeElement('testcase', named, content.length === 0 ? null : layOut(content))
  }
  const writeSuite = ({ attributes: own, properties, cases }: JunitSuite) => {
    const children = cases.map(writeCase)
    if (properties !== undefined) children.unshift(writeProperties(properties))
    return writeElement('testsuite', own, lines(children))
  }
  const content = suites.length === 0 ? null : layOut(suites.map(writeSuite))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement('testsuites', attributes, content)}\n`
}

export function countCases(cases: readonly JunitCase[]) {
  const count = (element: JunitOutcome['element']) =>
    cases.filter(({ outcome }) => outcome?.element === element).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function writeOutcome({ element, text, ...attributes }: JunitOutcome): string {
  return writeElement(element, attributes, text === undefined ? null : escapeMarkup(text))
}

function writeProperties(properties: readonly JunitProperty[]): string {
  const written = properties.map(({ name, value }) => writeElement('property', { name, value }, null))
  return writeElement('properties', {}, written.join(''))
}

/** `content` is XML; `null` leaves the element empty. */
function writeElement(name: string, attributes: Attributes, content: string | null): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`)
  const start = `<${name}${written.join('')}`
  return content === null ? `${start}/>` : `${start}>${content}</${name}>`
}

function lines(elements: readonly string[]): string {
  return `\n${elements.join('\n')}\n`
}
