import type { AuditResult } from '../../../audit/src/api.ts'
import { parseResults } from '../read-results.ts'
import type { RunResults } from '../results.ts'
import { frozenRun } from './frozen-run.ts'

const esc = '\u001b'
const bell = '\u0007'

/** Texts that a service, a pact or a file name may show to the reader or the viewer program of a report. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'a workflow command of GitHub': '::error file=a.js,line=1::owned',
  'a workflow command that is indented': ' \t ::set-output name=token::owned',
  'a workflow command on a line of its own': 'harmless\n::add-mask::a\r\n::stop-commands::x\r::warning::y',
  'a workflow command behind separators of lines':
    'a\u2028::error::b\u2029::error::c\u0085::error::d\u000b::error::e',
  'a workflow command behind blanks': '\u00a0::error::a\u3000::error::b\ufeff::error::c\u200b::error::d',
  'the older form of a command': 'harmless ##[error]owned ##[add-path]/tmp ##[group]a',
  'a command of Azure Pipelines': 'harmless ##vso[task.setvariable variable=x]owned',
  'a command of TeamCity': "##teamcity[message text='owned'] ##TeamCity[x]",
  'a command that stripping would make':
    '##\u001b[error]a ##\u202e[error]b #\u0000#[error]c :\u0000:error::d',
  'hashes in a row': '####[error]a ###vso[x]b',
  'a section of GitLab': `section_start:1:a[collapsed=true]\r${esc}[0Kowned`,
  colours: `${esc}[31mred${esc}[0m`,
  'a cleared screen': `${esc}[2J${esc}[H${esc}cowned`,
  'a title of a terminal': `${esc}]0;owned${bell}`,
  'a link of a terminal': `${esc}]8;;https://attacker.example${esc}\\click${esc}]8;;${esc}\\`,
  'a clipboard of a terminal': `${esc}]52;c;b3duZWQh${bell}`,
  'a device string': `${esc}P+q544e${esc}\\ ${esc}_G a${esc}\\ ${esc}^x${esc}\\`,
  'escapes of C1': '\u009b31mred\u009d0;owned\u009c\u0090+q\u009c\u0084\u008d',
  'overwritten text': 'refused\rpassed  \b\b\bok\u000c\u000b',
  'control characters': '\u0000\u0001\u0008\u000e\u001f\u007f\u0080\u009f',
  'text from right to left': 'pass \u202e}lian{\u202c \u2067a\u2069 \u200fb\u200e \u061cc',
  'invisible characters': 'a\u200bb\u2060c\ufeffd\u{e0041}\u{e007f}\ufffae',
  'half a character': '\ud800 a \udfff',
  'a script': '<script>alert(1)</script><SCRIPT SRC=//attacker.example>',
  'an image with a handler': '<img src=x onerror=alert(1)><svg/onload=alert(1)>',
  'the end of an attribute': `" onmouseover="alert(1)" x='y' '><b>`,
  'the end of the page': '</title></style></script></textarea></pre></html><!--',
  'the end of data':
    ']]><![CDATA[ <?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>&b;',
  entities: '&lt;script&gt; &#60;b&#62; &amp;amp; &nbsp; &quot;',
  'a template': '{{constructor}} $' + '{alert(1)} #{x} %s %n <%= x %> `id`',
  'a link of Markdown':
    '[click](https://attacker.example) ![x](https://attacker.example/?leak) [a]: https://b.example',
  'a link of SARIF': 'see [this](https://attacker.example) or [that](1)',
  'an address': 'https://attacker.example/a www.attacker.example mail@attacker.example',
  'blocks of Markdown':
    '\n\n# owned\n\n> quote\n\n- item\n\n1. item\n\n---\n\n```\ncode\n```\n\n    code\n\n| a | b |\n| - | - |\n',
  'marks of Markdown': '**bold** __bold__ ~~gone~~ `code` $x$ \\ <br> <details open>',
  'a mention': '@everyone @attacker/team #1 GH-1 :tada:',
}

const levels = ['MUST', 'SHOULD', 'INFO'] as const

/** A run in which every text that is not the suite's own is this one. */
export function hostileRun(text: string): RunResults {
  const finding = {
    level: 'MUST',
    verdict: 'fail',
    message: `saw ${text}; expected ${text}. F${text}.`,
    seen: text,
    expected: text,
    advice: `F${text}.`,
    evidence: ['x1', 'x2', text],
  } as const
  const check = (verdict: string, index: number) => ({
    id: `PACT ${text}: ${index}`,
    title: text,
    role: 'mint',
    level: levels[index % levels.length],
    clauses: [text],
    verdict,
    durationMs: 1,
    reason: index % 2 === 0 ? text : null,
    findings: ['fail', 'error', 'warn'].includes(verdict)
      ? [1, 2].map((place) => ({ ...finding, verdict, case: `${place} ${text}` }))
      : [],
    observations: { [text.replaceAll('.', '')]: text },
    ...(verdict === 'warn' ? { waived: true } : {}),
  })
  const verdicts = ['fail', 'error', 'warn', 'untested', 'not-applicable', 'info', 'pass']
  const said = { headers: [[text, text]], body: text }
  const http = { kind: 'http', durationMs: 1 }
  const run = {
    tool: { name: 'twotoken', version: text },
    target: text,
    startedAt: frozenRun.startedAt,
    durationMs: 7,
    outcome: 'nonconformant',
    config: text,
    seed: 7,
    summary: Object.fromEntries(verdicts.map((verdict) => [verdict, 1])),
    checks: verdicts.map(check),
    observations: {
      [`mint.${text}`]: text,
      'flow.secretPlaces': { [text]: { sessionToken: 'out of place' } },
    },
    exchanges: [
      {
        ...http,
        ...{ id: 'x1', from: 'backend', to: 'mint-double', at: 1 },
        request: { method: text, url: text, ...said },
        response: { status: 200, statusText: text, ...said },
        notes: [text],
      },
      {
        ...http,
        ...{ id: 'x2', from: 'suite', to: 'backend', at: 2 },
        request: { method: 'POST', url: text, ...said },
        failure: text,
      },
      {
        ...{ id: text, kind: 'websocket', from: 'suite', to: 'signaling', at: 3, durationMs: 1 },
        request: { url: text, headers: [[text, text]] },
        events: [{ at: 4, type: 'frame', text }],
        verdict: text,
      },
    ],
    artefacts: [{ title: text, file: text, requirements: [text] }],
  }
  return parseResults(JSON.stringify(run), 'hostile.json')
}

/** An audit in which every text of a file is this one. */
export function hostileAudit(text: string): AuditResult {
  const finding = {
    kind: 'key',
    format: text,
    decoder: text,
    offset: 1,
    length: 48,
    fingerprint: 'sha256:9f86d081884c7d65',
    shown: `ac_live_… ${text}`,
  } as const
  const accepted = { rule: 'AUD-002', level: 'error', location: text } as const
  const excerpt = { of: 'text', before: text, after: text } as const
  return {
    audited: [{ path: text, entries: 1, bytes: 1, durationMs: 1 }],
    findings: [
      { ...finding, rule: 'AUD-001', level: 'error', location: text, excerpt },
      {
        ...finding,
        ...{ rule: 'AUD-010', level: 'warning', location: `a.zip!${text}`, line: 3, column: 7 },
        excerpt: { ...excerpt, of: 'expression' },
      },
      { ...finding, rule: 'AUD-021', kind: 'mint-call', level: 'note', location: `${text}!${text}` },
    ],
    gaps: [
      { rule: 'AUD-090', location: text, reason: text },
      { rule: 'AUD-092', location: `${text}/a.zip!${text}`, reason: text },
    ],
    containers: [
      { location: text, size: 1, entries: 1, bytes: 1 },
      { location: `${text}/a.zip`, size: 1, entries: 1, bytes: 1 },
    ],
    accepted: [{ finding: { ...finding, ...accepted }, reason: text, expires: '2999-01-01' }],
  } as unknown as AuditResult
}

/** Content that no text on a console may have: controls, characters that hide or reorder others, commands of CI. */
const active: readonly (readonly [what: string, where: RegExp])[] = [
  ['a control character', /(?![\t\n])\p{Cc}/u],
  ['a separator of lines', /[\u2028\u2029]/u],
  ['a character that reorders', /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u],
  ['a character without a shape', /[\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u],
  ['half a character', /\p{Surrogate}/u],
  ['a command of a CI system', /##(?:\[|vso\[|teamcity\[)/i],
  ['a workflow command', /^\s*::/mu],
]

/** Lists the parts of a text that a terminal or a CI system would follow, with their surroundings. */
export function listActive(text: string): string[] {
  return active.flatMap(([what, where]) => {
    const { index } = where.exec(text) ?? {}
    if (index === undefined) return []
    return [`${what}: ${JSON.stringify(text.slice(Math.max(0, index - 20), index + 20))}`]
  })
}
