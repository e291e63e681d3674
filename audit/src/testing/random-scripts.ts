import { type Effort, OverEffort, partOf } from '../model/effort.ts'
import { foldStrings } from '../script/fold-strings.ts'
import { parseScript } from '../script/parse/parse-script.ts'
import type { Random } from './fuzz.ts'

type Rule = (random: Random, depth: number) => string

function oneOf<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)] as T
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const numbers = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '0.5',
  '7',
  '16',
  '36',
  '97',
  '255',
  '4096',
  '65536',
  '1e6',
  '1e9',
  '2**53',
  '1/0',
  '0/0',
]
const texts = [
  '""',
  '"a"',
  '"ac_"',
  '"live_"',
  '"_"',
  '"YWNfbGl2ZV8="',
  '"61635f"',
  '"%61c"',
  '"\\u0061"',
  '"é"',
  '"[1,2]"',
  '"calling/token"',
  '"https://api.acme.example/api/v1"',
]
const patterns = ['/a/', '/a/g', '/[a-c]+/g', '/|/g', '/./gu', '/_$/y', '/(a+)+$/', '/a|b|ac_/gi', '/\\d/']
const methods = [
  ...['at', 'charAt', 'charCodeAt', 'slice', 'substring', 'substr', 'concat', 'split', 'match', 'replace'],
  ...['replaceAll', 'repeat', 'padStart', 'padEnd', 'toLowerCase', 'toUpperCase', 'trim', 'toString'],
  ...[
    'normalize',
    'reverse',
    'toReversed',
    'join',
    'flat',
    'filter',
    'map',
    'flatMap',
    'reduce',
    'reduceRight',
  ],
  ...['get', 'call', 'apply', 'decode', 'then', 'post', 'url', 'extend', 'request'],
]
const functions = [
  ...[
    'String',
    'Number',
    'parseInt',
    'Array',
    'Uint8Array',
    'atob',
    'btoa',
    'decodeURIComponent',
    'unescape',
  ],
  ...['String.fromCharCode', 'String.fromCodePoint', 'String.fromCharCode.apply', 'Buffer.from', 'Array.of'],
  ...['Array.from', 'Uint8Array.from', 'Object.freeze', 'Object.assign', 'Object.values', 'Object.keys'],
  ...['Object.entries', 'JSON.parse', 'Promise.resolve', 'window.atob', 'eval', 'setTimeout', 'new Function'],
  ...['new Map', 'new URL', 'new TextDecoder', 'toString', 'constructor', '__proto__'],
  ...[
    'fetch',
    'axios.create',
    'axios.post',
    'new a',
    'new b',
    'useMemo',
    'useSWR',
    'new Promise',
    'n',
    'n.d',
  ],
]
const operators = [
  '+',
  '+',
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '&',
  '|',
  '<<',
  '>>>',
  '<',
  '>=',
  '===',
  '!=',
  '&&',
  '||',
  '??',
]

function list(rule: Rule, random: Random, depth: number, most = 4): string {
  return Array.from(
    { length: random(most + 1) },
    () => (random(5) === 0 ? '...' : '') + rule(random, depth),
  ).join()
}

const leaf: Rule = (random) => oneOf(oneOf(leaves, random), random)
const leaves = [names, names, texts, texts, numbers.map((number) => `(${number})`), patterns]

const expressions: readonly Rule[] = [
  leaf,
  (random, depth) => `(${expression(random, depth)}${oneOf(operators, random)}${expression(random, depth)})`,
  (random, depth) => `(${Array.from({ length: 2 + random(6) }, () => expression(random, depth)).join('+')})`,
  (random, depth) =>
    `${expression(random, depth)}.${oneOf(methods, random)}(${list(expression, random, depth)})`,
  (random, depth) => `${oneOf(functions, random)}(${list(expression, random, depth)})`,
  (random, depth) => `${oneOf(names, random)}(${list(expression, random, depth)})`,
  (random, depth) => `[${list(expression, random, depth)}]`,
  (random, depth) =>
    `({${oneOf(names, random)}:${expression(random, depth)},...${expression(random, depth)}})`,
  (random, depth) => `${expression(random, depth)}.${oneOf(names, random)}`,
  (random, depth) => `${expression(random, depth)}[${expression(random, depth)}]`,
  (random, depth) => `\`\${${expression(random, depth)}}ac_\${${expression(random, depth)}}\``,
  (random, depth) =>
    `(${expression(random, depth)}?${expression(random, depth)}:${expression(random, depth)})`,
  (random, depth) =>
    `(${oneOf(['!', '-', '+', '~', 'typeof ', 'void '], random)}${expression(random, depth)})`,
  (random, depth) => `((${oneOf(names, random)},...${oneOf(names, random)}2)=>${expression(random, depth)})`,
  (random, depth) => `(function(${oneOf(names, random)}=${leaf(random, 0)}){${block(random, depth)}})`,
  (random, depth) => `(()=>{${block(random, depth)}})()`,
  (random, depth) =>
    `(${oneOf(names, random)}${oneOf(['=', '+=', '-='], random)}${expression(random, depth)})`,
  (random, depth) =>
    `({${oneOf(['baseURL', 'baseUrl', 'prefixUrl', 'host'], random)}:${expression(random, depth)},url:${expression(random, depth)}})`,
  (random, depth) => `({query:()=>${expression(random, depth)},n(a,b){${block(random, depth)}}})`,
  (random) => `this.${oneOf(names, random)}`,
  (random, depth) => `eval(${JSON.stringify(expression(random, depth))})`,
]

function expression(random: Random, depth: number): string {
  return depth <= 0 ? leaf(random, 0) : oneOf(expressions, random)(random, depth - 1)
}

const loops: readonly ((random: Random, depth: number) => string)[] = [
  (random) => `for(let i=0;i<${oneOf(numbers, random)};i++)`,
  (random, depth) => `for(const ${oneOf(names, random)} of ${expression(random, depth)})`,
  (random, depth) => `for(const ${oneOf(names, random)} in ${expression(random, depth)})`,
  (random, depth) => `while(${oneOf(['true', expression(random, depth)], random)})`,
]

const statements: readonly Rule[] = [
  (random, depth) => `var ${oneOf(names, random)}=${expression(random, depth)};`,
  (random, depth) =>
    `${oneOf(names, random)}${oneOf(['=', '+=', '+='], random)}${expression(random, depth)};`,
  (random, depth) => `${oneOf(names, random)}.push(${list(expression, random, depth)});`,
  (random, depth) =>
    `var [${oneOf(names, random)},{${oneOf(names, random)}:q}]=${expression(random, depth)};`,
  (random, depth) => `function ${oneOf(names, random)}(${oneOf(names, random)},b){${block(random, depth)}}`,
  (random, depth) => `${oneOf(loops, random)(random, depth)}{${block(random, depth)}}`,
  (random, depth) => `do{${block(random, depth)}}while(${expression(random, depth)});`,
  (random, depth) => `if(${expression(random, depth)}){${block(random, depth)}}else{${block(random, depth)}}`,
  (random, depth) => `try{${block(random, depth)}}catch{}`,
  (random, depth) => `use(class{static ${oneOf(names, random)}=${expression(random, depth)}});`,
  (random, depth) =>
    `class ${oneOf(names, random)} extends ${oneOf(names, random)}{constructor(b){super(${list(expression, random, depth)});this.${oneOf(names, random)}=${expression(random, depth)}}${oneOf(names, random)}(c){${block(random, depth)}}}`,
  (random, depth) =>
    `x.pathname=${expression(random, depth)};a.defaults.baseURL=${expression(random, depth)};`,
  (random, depth) =>
    `use({${random(3)}:(e,t,n)=>{${oneOf(['e.exports', 't.a', 't.b'], random)}=n(${random(3)});${block(random, depth)}}});`,
  (random, depth) => `x.${oneOf(names, random)}=${expression(random, depth)};`,
  (random, depth) => `use(${expression(random, depth)});`,
  (random, depth) => `{${block(random, depth)}}`,
  (random, depth) => `return0(()=>{return ${expression(random, depth)}});`,
]

function block(random: Random, depth: number): string {
  const body = Array.from({ length: 1 + random(3) }, () =>
    depth <= 0 ? `use(${leaf(random, 0)});` : oneOf(statements, random)(random, depth - 1),
  )
  return body.join('')
}

/** Values that are large from the beginning, and functions that enlarge them. */
const beginnings = [
  'var a="a".repeat(65535);',
  'var b="ac_live_".repeat(8000);',
  'var c="live_".repeat(8000).split("");',
  'var d=[a,b,c,"ac_"];',
  'var e={a,b,c};',
  'var f=(n)=>n<2?a:f(n-1)+f(n-2);',
  'var g=(n)=>{let s=n;for(let i=0;i<64;i++)s+=s;return s};',
  'var h=(n)=>{let s=[n];for(let i=0;i<64;i++)s=[s,s];return s};',
]

/** A script of any constructs that the folding evaluates, put together at random; most of them run for long. */
export function randomScript(random: Random): string {
  const large = beginnings.filter(() => random(3) > 0)
  const rest = Array.from({ length: 3 + random(12) }, () => oneOf(statements, random)(random, 2 + random(4)))
  return [...large, ...rest].join('\n')
}

/** Less than a script may cost otherwise, so that thousands of them can be tried. */
const most = { steps: 400_000, bytes: 4_000_000 }
/** Many times what such a script takes, so that a busy machine is not taken for a slow one. */
const patienceMs = 3000

type Fold = (script: string, effort: Effort) => readonly string[]

/** All strings that a script puts together. */
const foldAll: Fold = (script, effort) => {
  const parsed = parseScript(script, 'ac_live_', effort)
  return parsed === null
    ? []
    : foldStrings({ ...parsed, prefix: 'ac_live_' }, effort, { hasPath: true }).strings.map(
        ({ value }) => value,
      )
}

/** Gives the fault in the folding of a script; `null` where there is none. */
export function faultOfScript(script: string, fold: Fold = foldAll): string | null {
  const effort = partOf(null, { ...most, steps: most.steps + 10 * script.length })
  const { user, system } = process.cpuUsage()
  let made = 0
  try {
    for (const { length } of fold(script, effort)) made += length
  } catch (error) {
    if (!(error instanceof OverEffort))
      return `crash: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error)}`
  }
  const spent = process.cpuUsage()
  const elapsed = (spent.user + spent.system - user - system) / 1000
  if (elapsed > patienceMs) return `slow: ${Math.round(elapsed)} ms for ${script.length} characters`
  return made > most.bytes ? `large: ${made} characters` : null
}
