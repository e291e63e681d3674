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

export interface JunitSuite {
  readonly attributes: Attributes
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly cases: readonly JunitCase[]
}

/**
 * JUnit XML. Attributes are escaped but keep line breaks: a caller puts text of a peer on one line.
 * @param isCompact leaves out the line breaks between suites, and inside test cases
 */
export function writeJunit(attributes: Attributes, suites: readonly JunitSuite[], isCompact = false): string {
  const layOut = (elements: readonly string[]) => (isCompact ? elements.join('') : lines(elements))
  const writeCase = ({ outcome, systemOut, ...named }: JunitCase) => {
    const { element, text, ...told } = { ...outcome }
    const content = [
      ...(element === undefined
        ? []
        : [writeElement(element, told, text === undefined ? null : escapeMarkup(text))]),
      ...(systemOut === undefined ? [] : [writeElement('system-out', {}, escapeMarkup(systemOut))]),
    ]
    return writeElement('testcase', named, content.length === 0 ? null : layOut(content))
  }
  const writeSuite = ({ attributes: own, properties, cases }: JunitSuite) => {
    const children = cases.map(writeCase)
    const written = properties?.map((property) => writeElement('property', { ...property }, null))
    if (written !== undefined) children.unshift(writeElement('properties', {}, written.join('')))
    return writeElement('testsuite', own, lines(children))
  }
  const content = suites.length === 0 ? null : layOut(suites.map(writeSuite))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement('testsuites', attributes, content)}\n`
}

export function countCases(cases: readonly JunitCase[]) {
  const count = (element: JunitOutcome['element']) =>
    cases.filter(({ outcome }) => outcome?.element === element).length
  const [failures, errors, skipped] = [count('failure'), count('error'), count('skipped')]
  return { tests: cases.length, failures, errors, skipped }
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
