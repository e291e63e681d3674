/** A text that costs readers more than its size is worth: how a file is called that holds it, and the text itself. */
export interface HostileText {
  readonly file: string
  /** About as many characters as asked for. */
  readonly text: (size: number) => string
}

/** Worth a closer look: an audit folds a script that holds this. */
const clue = 'x = "ac_" + "live_";\n'

function repeated(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.ceil(size / unit.length)))
}

/** Numbered pieces, until there are enough of them. */
function numbered(piece: (index: number) => string, size: number): string {
  const pieces: string[] = []
  for (let length = 0; length < size; ) {
    const next = piece(pieces.length)
    pieces.push(next)
    length += next.length
  }
  return pieces.join('')
}

/** Opens as often as fits, and closes again. */
function nested(
  open: string,
  inner: string,
  close: string,
  size: number,
  deepest = Number.POSITIVE_INFINITY,
) {
  const depth = Math.min(deepest, Math.max(1, Math.floor(size / (open.length + close.length))))
  return open.repeat(depth) + inner + close.repeat(depth)
}

const script = (text: HostileText['text'], file = 'a.js'): HostileText => ({
  file,
  text: (size) => clue + text(size),
})
const page = (text: HostileText['text']): HostileText => ({
  file: 'a.html',
  text: (size) => `<html><script>${clue}</script>${text(size)}`,
})
const plain = (text: HostileText['text'], file = 'a.txt'): HostileText => ({ file, text })
/** The same statements in a loop of depth one, again and again. */
const statements = (first: string, next: (index: number) => string, file?: string) =>
  script((size) => first + numbered(next, size), file)

/** Parts of a prefix that only running the script puts together. */
const pieces = 'const P=["ac","live"];const q=P[0]+"_"+P[1]+"_";'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Texts that an audit has to bear: kinds of files, each of any size. */
export const hostileTexts: Readonly<Record<string, HostileText>> = {
  // Expressions that go on for long.
  'calls of calls': script((size) => `use(a${repeated('()', size)})`),
  'calls of calls in a typed source': script((size) => `let n: T = a${repeated('()', size)}`, 'a.ts'),
  'members of members': script((size) => `use(a${repeated('.b', size)})`),
  'indices of indices': script((size) => `use(a${repeated('[0]', size)})`),
  'a sum of names': script((size) => `use(${repeated('a+', size)}a)`),
  'a sum of names in a typed source': script((size) => `let n: T = ${repeated('a+', size)}a`, 'a.ts'),
  'a sum of literals': script((size) => `use(${repeated('"a"+', size)}"a")`),
  'a sum of literals in a typed source': script((size) => `let n: T = ${repeated('"a"+', size)}"a"`, 'a.ts'),
  'sums in parentheses': script((size) => `use(${nested('("a"+', 'a', ')', size)})`),
  'sums in few parentheses': script((size) =>
    repeated(`use(${nested('("a"+', '"b"', '+a)', 0, 1)}${nested('("a"+', '"b"', ')', 1e9, 100)});\n`, size),
  ),
  'a long sequence': script((size) => `use((${repeated('"a",', size)}"b"))`),
  'a long list of arguments': script((size) => `use(${repeated('a,', size)}"b")`),
  'a long list of numbers': script((size) => `use([${repeated('1,', size)}2].join("ac_"))`),
  'a long list of literals': script((size) => `use([${repeated('"a",', size)}"b"].join("ac_"))`),
  'conditions in conditions': script((size) => `use(${repeated('a?"b":', size)}"c")`),
  'ands and ors': script((size) => `use(${repeated('a&&"b"||', size)}"c")`),
  'lists in lists': script((size) => `use(${nested('[', '', ']', size)})`),
  'lists that stay open': script((size) => repeated('[', size)),
  'parentheses in parentheses': script((size) => `use(${nested('(', '"a"', ')', size)})`),
  'parentheses that stay open': script((size) => repeated('(', size)),
  'braces that stay open': script((size) => repeated('{', size)),
  'objects in objects': script((size) => `use(${nested('{a:', '"b"', '}', size)})`),
  'few objects in objects': script((size) =>
    repeated(`use(${nested('{a:', '"b"', '}', 1e9, 200)}.a.a);\n`, size),
  ),
  'blocks in blocks': script((size) => nested('{let a="b";', 'use(a+"c")', '}', size)),
  'names in deep blocks': script((size) =>
    nested('{let a;', repeated('b="x"+b;', size / 2), '}', size / 2, 700),
  ),
  'functions in functions': script((size) => nested('(function(a){return "b"+', 'a', '})', size)),
  'arrows of arrows': script((size) => `use(${repeated('a=>', size)}"b"+a)`),
  'patterns in patterns': script((size) => `let ${nested('[a,', 'b', ']', size)} = c;`),
  'templates in templates': script((size) => `use(${nested('`${', '"a"', '}`', size)})`),
  'few templates in templates': script((size) =>
    repeated(`use(${nested('`ac_${', '"a"', '}`', 1e9, 100)});\n`, size),
  ),
  'templates that stay open': script((size) => repeated('`${', size)),
  'long templates': script((size) => `let a="${'x'.repeat(1000)}";use(\`${repeated(`\${a}`, size)}\`)`),
  'many templates': statements(`let a="${'x'.repeat(60_000)}";`, () => 'use(a+`b`);'),
  'elements in elements': script((size) => nested('<a b="c">', '', '</a>', size)),
  'classes in classes': script((size) => nested('class A{static a=', '"b"', '}', size)),
  'long names': script((size) => `use(${repeated('a', size)}+"b")`),
  'a long number': script((size) => `use(${repeated('1', size)}+"b")`),
  'a long integer': script((size) => `use(${repeated('1', size)}n+"b")`),
  'names in escapes': script((size) => `use(${repeated('\\u0061', size)}+"b")`),

  // Values that grow.
  'a sum of itself': statements('let a="ac_live_";', () => 'a=a+a;'),
  'a name for each sum of the one before': statements(
    'let a0="ac_live_";',
    (index) => `let a${index + 1}=a${index}+a${index};`,
  ),
  'a large value under many names': statements(
    'let a="ac_live_".repeat(8000);',
    (index) => `let b${index}=a+${index};`,
  ),
  'a large value in many sums': statements('let a="x".repeat(60000);', () => 'use(a+"b");'),
  'a large value in one sum': script((size) => `let a="x".repeat(60000);use(${repeated('a+', size)}"b");`),
  'large values in sums of sums': statements('let a="x".repeat(60000);', () => 'use(((((a+"b")+"c")+"d")));'),
  'additions to a name': statements('let a="ac_live_".repeat(8000);', () => 'a+=a;'),
  'additions to many names': statements(
    'let a="ac_live_".repeat(8000);',
    (index) => `let b${index}=a;b${index}+=a;b${index}+=a;`,
  ),
  'repetitions of repetitions': statements('', () => 'use("ac_live_".repeat(8000).repeat(1e9));'),
  'repetitions of one character': statements('', () => 'use("a".repeat(65535));'),
  'repetitions of nothing': statements('', () => 'use("".repeat(1e300));use("".repeat(2**53));'),
  'fractions of repetitions': statements('', () => 'use("ab".repeat(-0.5));use("".padEnd(0.1,"x"));'),
  'replacements that explode': statements('let a="a".repeat(65535);', () => 'use(a.replaceAll("a",a));'),
  'replacements of nothing': statements('let a="a".repeat(65535);', () => 'use(a.replaceAll("",a));'),
  'replacements by a pattern': statements('let a="a".repeat(65535);', () => 'use(a.replace(/a/g,a));'),
  'replacements by an empty pattern': statements('let a="a".repeat(65535);', () => 'use(a.replace(/|/g,a));'),
  'a long pattern': script(
    (size) => `let a="a".repeat(65535);use(a.match(/${repeated('a', Math.min(size, 30_000))}b/g));`,
  ),
  'many alternatives': script(
    (size) => `let a="a".repeat(65535);use(a.replace(/${repeated('aaab|', size)}b/g,""));`,
  ),
  'many patterns': statements('let a="a".repeat(65535);', () => 'use(a.split(/aab/));'),
  'fillers before': statements('', () => 'use("a".padStart(65536,"ac_live_"));'),
  'fillers behind': statements('', () => 'use("a".padEnd(65536,"ac_live_"));'),
  concatenations: statements('let a="ac_live_";', () => 'a=a.concat(a,a);'),
  'a chain of concatenations': script((size) => `use("ac_"${repeated('.concat("live_")', size)})`),
  'a chain of list calls': script(
    (size) => `use("ac_live_"${repeated('.split("").reverse().map(c=>c).join("")', size)})`,
  ),
  'large lists split and joined': statements(
    'let a="a".repeat(65535);',
    () => 'use(a.split("").reverse().join(""));',
  ),
  'joins by a long text': statements('let a="a".repeat(60000),b=a.split("");', () => 'use(b.join(a));'),
  'lists of themselves': statements('let a=["ac_"];', () => 'a=[a,a];use(a+"b");'),
  'a name for each list of the one before': statements(
    'let a0=["ac_live_"];',
    (index) => `let a${index + 1}=[a${index},a${index}];use(a${index + 1}+"b");`,
  ),
  'lists spread into lists': statements(
    'let a0=["ac_live_"];',
    (index) => `let a${index + 1}=[...a${index},...a${index}];`,
  ),
  'large lists under many names': statements(
    'let a="a".repeat(65535).split("");',
    (index) => `let b${index}=[...a];`,
  ),
  'lists in themselves, in a loop': script(
    (size) =>
      `function f(){let a="ac_";for(let i=0;i<50000;i++)a=[a];return a+"b"}${repeated('use(f());', size)}`,
  ),
  'lists of two, in a loop': script(
    (size) =>
      `function f(){let a="ac_";for(let i=0;i<500;i++)a=[a,a];return a+"b"}${repeated('use(f());', size)}`,
  ),
  'pushes in a loop': script(
    (size) =>
      `function f(){let a=[];for(let i=0;i<1e9;i++)a.push("ac_","live_");return a.join("")}${repeated('use(f());', size)}`,
  ),
  'additions in a loop': script(
    (size) =>
      `function f(){let a="ac_live_";for(let i=0;i<1e9;i++)a+=a;return a}${repeated('use(f());', size)}`,
  ),
  'lists of large lists under many names': statements(
    'let a="a".repeat(65535).split("");',
    (index) => `let b${index}=[[...a],[...a]];`,
  ),
  'lists of large texts under many names': statements(
    'let a="a".repeat(1000),b="b".repeat(200).split("");',
    (index) => `let c${index}=[b.map(d=>a+d.concat(a))];`,
  ),
  'functions that give large lists': script(
    (size) =>
      `let a="a".repeat(65535).split("");const f=(n)=>[a.concat(n)];${numbered((index) => `use(f(${index}));`, size)}`,
  ),
  'flat lists': statements('let a="a".repeat(65535).split("");', () => 'use([a,a,a,a].flat().flat());'),
  'objects spread into objects': statements(
    'let a0={a:"ac_"};',
    (index) => `let a${index + 1}={...a${index},b${index}:"c"};`,
  ),
  'entries of objects': statements(
    `let a={${Array.from({ length: 2000 }, (_, index) => `b${index}:"c"`).join()}};`,
    () => 'use(Object.values(Object.assign(a,a)).join("")+Object.entries(a));',
  ),
  'JSON parsed again and again': statements(
    `let a='[${'1,'.repeat(20_000)}1]';`,
    () => 'use(JSON.parse(a).join(""));',
  ),
  'characters of many codes': script((size) => `use(String.fromCharCode(${repeated('97,', size)}95))`),
  'characters of codes, again and again': statements(
    `let a=[${'97,'.repeat(20_000)}95];`,
    () => 'use(String.fromCharCode(...a));',
  ),
  'characters of codes applied': statements(
    `let a=[${'97,'.repeat(20_000)}95];`,
    () => 'use(String.fromCharCode.apply(null,a));',
  ),
  'decoders in decoders': script((size) => `use(${nested('atob(', '"YWNf"', ')', size)})`),
  'encoders in encoders': statements('let a="ac_live_".repeat(5000);', () => 'use(btoa(btoa(btoa(a))));'),
  'many calls of a decoder': statements('', () => 'use(atob("YWNf"+"bGl2ZV8="));'),
  'large calls of a decoder': statements(
    'let a="YWNf".repeat(16000);',
    () => 'use(atob(a));use(Buffer.from(a,"base64").toString("hex"));',
  ),
  'percent signs decoded': statements('let a="%61".repeat(20000);', () => 'use(decodeURIComponent(a));'),
  addresses: statements('let a="https://"+"é".repeat(60000);', () => 'use(new URL("/a",a)+"");'),
  'letters in other cases': statements('let a="İ".repeat(60000);', () => 'use(a.toLowerCase());'),
  'arithmetic with long digits': statements('let a="1".repeat(60000);', () => 'use((a*a)+"b");'),
  'a table of strings': script(
    (size) =>
      `var t=[${'"a",'.repeat(5000)}"b"];function f(i){let s="";for(const c of t)s+=c;return s}${numbered((index) => `use(f(${index}));`, size)}`,
  ),

  // Functions that go on for long.
  'a function that calls itself twice': statements(
    'const f=(n)=>n<2?"ac_":f(n-1)+f(n-2);',
    (index) => `use(f(${index}));`,
  ),
  'functions of functions': statements(
    'const f0=()=>"ac_";',
    (index) => `const f${index + 1}=()=>f${index}()+f${index}();use(f${index + 1}());`,
  ),
  'loops in loops': script(
    (size) =>
      `function f(){let s="";${'for(let i=0;i<1e9;i++)'.repeat(20)}s="ac_"+i;return s}${repeated('use(f());', size)}`,
  ),
  'loops without an end': script((size) => repeated('let s="";while(true)s+="ac_";use(s);', size)),
  'lists mapped in lists that are mapped': script(
    (size) =>
      `let a="${'a'.repeat(4000)}".split("");${repeated('use(a.map(b=>a.map(c=>b+c)).join(""));', size)}`,
  ),
  reductions: script(
    (size) => `let a="${'a'.repeat(4000)}".split("");${repeated('use(a.reduce((b,c)=>b+c+b,"ac_"));', size)}`,
  ),
  'many parameters': script(
    (size) => `function f(...a){return a.join("")}${repeated('use(f(..."ac_live_".repeat(8000)));', size)}`,
  ),
  'reads of a name that is written often': statements(
    `let a="ac_";${'a=a+"b";'.repeat(60)}`,
    () => 'use(a+"c");',
  ),
  'reads of a name that a loop writes': statements(
    'let a="";for(let i=0;i<1000;i++)a+="ac_";',
    () => 'use(a+"c");',
  ),
  'a property that is written often': statements('', () => 'a.b="ac_";use(a.b+"c");'),
  'code in strings': statements('', (index) => `eval("use(\\"ac_\\"+\\"live_\\"+${index})");`),
  'large code in strings': statements('let a="use(\\"ac_\\"+\\"live_\\");".repeat(3000);', () => 'eval(a);'),
  'code in code in code': statements(
    `let a=${JSON.stringify(`eval(${JSON.stringify('use("ac_"+"live_");'.repeat(20))});`.repeat(20))};`,
    () => 'eval(a);',
  ),

  // Characters that readers look at again and again.
  'escaped quotation marks': script((size) => `use("${repeated('\\"', size)}`),
  'escaped quotation marks in a typed source': script(
    (size) => `let n: T = "${repeated('\\"', size)}`,
    'a.ts',
  ),
  'quotation marks': script((size) => repeated('"', size)),
  'quotation marks of both kinds': script((size) => repeated(`"'`, size)),
  'comments that stay open': script((size) => repeated('/*', size)),
  slashes: script((size) => repeated('/', size)),
  'pattern literals': script((size) => repeated('use(/ac_/.test("live_"));', size)),
  'regular expressions': script((size) => repeated('/(a+)+[^/]/g,', size)),
  backslashes: script((size) => repeated('\\', size)),
  'backslashes behind an escape': plain((size) => `x="\\x61";${repeated('\\', size)}`, 'a.js'),
  'a handler of errors, and blanks': script((size) => `catch${repeated('\t', size)}`),
  'handlers of errors, and blanks': script((size) => repeated(`catch${'\t'.repeat(300)}`, size)),
  'a handler of errors with a name, and blanks': script((size) => `catch(e${repeated('\t', size)}`),
  'beginnings of tokens': script((size) => repeated('-eyJ', size)),
  'beginnings of tokens after dots': script((size) => repeated('.eyJ', size)),
  'headers of tokens': plain((size) => repeated('eyJhbGciOiJ', size)),
  'headers of tokens between dots': plain((size) => repeated('eyJhbGciOiJ.', size)),
  tokens: plain((size) => repeated(`${base64('{"alg":"none"}')}.${base64('{"a":"b"}')}.x `, size)),
  'tokens in a script': script((size) =>
    repeated(`use("${base64('{"alg":"none"}')}."+"${base64('{"a":"b"}').replace('=', '')}.x");`, size),
  ),
  dots: plain((size) => `eyJhbGciOiJ${repeated('.', size)}`),
  'prefixes of keys': plain((size) => repeated('ac_live_', size)),
  'prefixes of keys in a script': script((size) => `use("${repeated('ac_live_', size)}"+"a")`),
  'prefixes of keys in literals': script((size) => repeated('"ac_live_",', size)),
  keys: plain((size) => numbered((index) => `ac_live_${index}9fK2mPq7Rt4Vw8Xy1Zb3Nc6 `, size)),
  'keys in lines': plain((size) => numbered((index) => `ac_live_${index}9fK2mPq7Rt4Vw8Xy1Zb3Nc6\n`, size)),
  'keys in literals': script((size) => numbered((index) => `"ac_live_${index}9fK2mPq7Rt4Vw8Xy",`, size)),
  'keys in sums': script((size) =>
    numbered((index) => `use("ac_"+"live_"+"${index}9fK2mPq7Rt4Vw8Xy");\n`, size),
  ),
  'keys in the lines of a script that is read from its end': script(
    (size) => `${repeated('\n', size / 2)}${repeated('eval("ac_"+"live_"+"9fK2mPq7Rt4Vw8Xy");', size / 2)}`,
  ),
  'prefixes the other way round': plain((size) => repeated('_evil_ca', size)),
  'prefixes in base64': plain((size) => repeated(base64('ac_live_x'), size)),
  'prefixes in base64, further in': plain((size) => `xx${repeated(base64('xac_live_'), size)}`),
  'prefixes in hexadecimal': plain((size) => repeated(Buffer.from('ac_live_').toString('hex'), size)),
  'half a prefix in hexadecimal': plain(
    (size) => `x="${repeated(Buffer.from('ac_liv').toString('hex'), size)}"`,
    'a.js',
  ),
  'hexadecimal digits': plain((size) => `${Buffer.from('ac_live_').toString('hex')}${repeated('6f', size)}`),
  'hexadecimal digits in a script': script(
    (size) => `use("${Buffer.from('ac_live_').toString('hex')}"+"${repeated('6f', size)}")`,
  ),
  'base64 digits': plain((size) => base64('ac_live_x') + repeated('QUJD', size)),
  'prefixes under a mask': plain((size) => repeated('bv\\ojuf\\'.replaceAll('\\', '`'), size)),
  'prefixes in escapes': plain((size) => repeated('\\u0061c_live_', size)),
  escapes: plain((size) => repeated('\\u0061', size)),
  'escapes in a script': script((size) => `use("${repeated('\\u0061', size)}"+"b")`),
  'short escapes in a script': script((size) => `use("${repeated('\\x61', size)}"+"b")`),
  'short escapes that are no part of a prefix': script((size) => `use("${repeated('\\x6f', size)}"+"b")`),
  'escapes with zeros': plain((size) => `\\u{${repeated('0', size)}61}c_live_`),
  'many escapes with zeros': plain((size) => repeated(`\\u{${'0'.repeat(200)}61}`, size)),
  'percent signs': plain((size) => repeated('%61', size)),
  'percent signs before keys': plain((size) => repeated('%61c_live_', size)),
  entities: plain((size) => repeated('&#x61;', size), 'b.html'),
  'entities with zeros': plain((size) => repeated(`&#${'0'.repeat(200)}97;`, size)),
  'paths of the mint': plain((size) => repeated('v1/calling/token ', size)),
  'paths of the mint, joined': plain((size) => repeated('/api/v1/calling/token', size)),
  'paths of the mint behind long names': plain((size) =>
    repeated(`${'a'.repeat(400)}"${'a'.repeat(80)}/api/v1/calling/token`, size),
  ),
  'clients of clients of the mint': script(
    (size) => `c${repeated('.extend({prefixUrl:"https://a.example/api/v1"})', size)}.post("calling/token")`,
  ),
  'clients of the mint': statements(
    '',
    (at) => `var c${at}=http.create({baseURL:"https://a.example/api/v1"});c${at}.post("calling/token");`,
  ),
  'clients of colons': statements(
    '',
    () => `https.request({protocol:"${':'.repeat(60_000)}\\n:",host:"a",path:"/api/v1/calling/token"});`,
  ),
  'classes that extend each other and call': statements(
    'class C0{post(p){return fetch(this.b+p)}}',
    (at) =>
      `class C${at + 1} extends C${at}{constructor(b){super(b);this.b=b;this.post("calling/token")}}new C${at + 1}("https://a.example/api/v1").post("calling/token");`,
  ),
  'classes that make each other and call': statements(
    'class C0{}',
    (at) =>
      `class C${at + 1}{constructor(b){this.c=new C${at}(b);this.d=new C${at + 1}(b)}m(){fetch(this.c.b+"calling/token")}}new C${at + 1}("https://a.example/").m();`,
  ),
  'modules that require each other and call': script(
    (size) =>
      `({${numbered((at) => `${at}:(e,t,n)=>{var m=n(${at + 1}),o=n(${at * 7});n.d(t,{a:()=>m.a+o.a});fetch(m.a+"calling/token")},`, size)}})`,
  ),
  'calls in functions in functions': script((size) =>
    nested('function f(b){fetch(b+"calling/token");', 'f("https://a.example/")', 'f(b)}', size, 400),
  ),
  'calls of functions from everywhere': statements(
    'function f(a,b,c){return g(a,b,c)+f(b,c,a)}function g(a,b,c){return f(a+b,c,"calling/token")}',
    (at) => `f("https://a.example/api/v1/",${at},"calling/token");`,
  ),
  'endpoints of the mint': script(
    (size) =>
      `api({baseQuery:q({baseUrl:"https://a.example/api/v1"}),e:{${repeated('m:b.query({query:()=>"calling/token"}),', size)}}})`,
  ),
  'documents of the mint': script(
    (size) =>
      `var d={servers:[{url:"https://a.example"}],paths:{${numbered((at) => `"/${at}/calling/token":{},`, size / 2)}}};${repeated('use({spec:d});', size / 2)}`,
  ),
  'paths of the mint in literals': script((size) => repeated('use("/api/v1/calling"+"/token");', size)),
  'codes of a text': script((size) => `String.fromCharCode(1);use([${repeated('97,99,95,', size)}1])`),
  'codes and blanks': script(
    (size) => `String.fromCharCode(1);use([${repeated(`1,1,1,1,1,1,${' '.repeat(300)}`, size)}1])`,
  ),
  'digits and blanks': script(
    (size) => `String.fromCharCode(1);use([${repeated('1 ', size)}1,1,1,1,1,1,1,1])`,
  ),
  'codes without an end': script(
    (size) => `String.fromCharCode(1);use([1,1,1,1,1,1,1,1,${repeated('1', size)}])`,
  ),
  lines: plain((size) => `ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6${repeated('\n', size)}`),
  blanks: plain((size) => `ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6${repeated(' ', size)}`),
  'blanks in a script': script((size) => `use("ac_"${repeated(' ', size)}+"live_")`),

  // Pages and other markup.
  'openers of scripts': page((size) => repeated('<script ', size)),
  'openers of scripts that stay open': page((size) => repeated('<script>', size)),
  scripts: page((size) => repeated(`<script>use("ac_"+"live_")</script>`, size)),
  'scripts with types': page((size) => repeated('<script type = ', size)),
  handlers: page((size) => repeated(` onclick='use("ac_"+"live_")'`, size)),
  'handlers that stay open': page((size) => repeated(` onclick="a`, size)),
  'handlers that stay open, of two kinds': page((size) => repeated(` onclick="' onclick='`, size)),
  'handlers and blanks': page((size) => repeated(` onclick${' '.repeat(300)}`, size)),
  'comments of a page': page((size) => repeated('<!--', size)),
  'sections of characters': page((size) => `<script><![CDATA[${repeated(']]> ', size)}</script>`),
  'names in markup': plain(
    (size) => `ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6 <?xml${repeated(' name="', size)}`,
    'a.xml',
  ),
  'names and blanks in markup': plain(
    (size) => `<?xml ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6 ${repeated(` name${' '.repeat(300)}`, size)}`,
    'a.xml',
  ),
  'keys in property lists': plain(
    (size) => `<plist>ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6${repeated('<key>', size)}`,
    'a.plist',
  ),
  'elements in markup': plain(
    (size) => `<?xml?>ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6${repeated('<', size)}`,
    'a.xml',
  ),

  // Data.
  'lists in JSON': plain((size) => `${repeated('[', size)}"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6"`, 'a.json'),
  'objects in JSON': plain((size) => `${repeated('{"a":', size)}"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6"`, 'a.json'),
  'names in JSON': plain(
    (size) => `{"a":"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6"${repeated(',"b":1', size)}}`,
    'a.json',
  ),
  'escaped quotation marks in JSON': plain(
    (size) => `{"a":"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6","b":"${repeated('\\"', size)}`,
    'a.json',
  ),
  'quotation marks in JSON': plain(
    (size) => `{"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6${repeated('"', size)}`,
    'a.json',
  ),
  'quotation marks and blanks in JSON': plain(
    (size) => `{"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6"${repeated(`"" ${' '.repeat(300)}`, size)}`,
    'a.json',
  ),
  'escaped quotation marks in strings': plain(
    (size) => `"a" = "ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6";"${repeated('\\"', size)}`,
    'a.strings',
  ),
  'lines of an environment': plain((size) => repeated('A=ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6\n', size), '.env'),
  'inline maps': script((size) =>
    repeated(`//# sourceMappingURL=data:application/json;base64,${base64('{"sources":[]}')}\n`, size),
  ),
  'inline maps that do not parse': script((size) =>
    repeated('//# sourceMappingURL=data:application/json;base64,AAAA\n', size),
  ),
  'a map of many sources': plain(
    (size) =>
      JSON.stringify({
        version: 3,
        mappings: '',
        sources: [],
        sourcesContent: Array.from({ length: Math.ceil(size / 40) }, (_, index) => `${clue}${index}`),
      }),
    'a.js.map',
  ),
  'a map of long names': plain(
    (size) =>
      JSON.stringify({
        version: 3,
        mappings: '',
        sources: Array.from({ length: 8 }, () => repeated('!', size / 8)),
        sourcesContent: Array.from({ length: 8 }, (_, at) => `"ac_live_${at}9fK2mPq7Rt4Vw8Xy1Zb3Nc6"`),
      }),
    'a.js.map',
  ),
  'a map of names like tokens': plain(
    (size) =>
      JSON.stringify({
        version: 3,
        mappings: '',
        sources: [repeated('eyJ', size)],
        sourcesContent: [repeated('"ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6",', 2000)],
      }),
    'a.js.map',
  ),
  'maps in maps': plain((size) => {
    let map = JSON.stringify({ sources: ['a.js'], sourcesContent: ['use("ac_"+"live_"+"9fK2mPq7Rt4Vw8Xy")'] })
    while (map.length < size) map = JSON.stringify({ sources: ['a.js.map'], sourcesContent: [map] })
    return map
  }, 'a.js.map'),
  'sections in maps': plain(
    (size) => JSON.stringify({ sections: Array.from({ length: size / 14 }, () => ({ map: {} })) }),
    'a.js.map',
  ),

  // Pieces of a key in what an interpreter runs.
  'loops without an end around pieces': statements(
    pieces,
    (index) => `for(;;){let s${index}=q;s${index}+="a"}`,
  ),
  'functions that call themselves with pieces': statements(
    pieces,
    (index) => `function f${index}(n){return q+f${index}(n+1)+f${index}(n+2)}f${index}(1);`,
  ),
  'generators without an end': statements(
    pieces,
    (index) => `function*g${index}(){while(1)yield q+"abcdefgh"}use([...g${index}()].join(""));`,
  ),
  'prototypes in a circle': statements(
    `${pieces}let a={},b={};Object.setPrototypeOf(a,b);Object.setPrototypeOf(b,a);function C(){};`,
    () => 'use(q+(a instanceof C)+a.x);',
  ),
  'patterns with many ways': statements(
    pieces,
    (index) => `use((q+"a".repeat(60)).match(/${'a?'.repeat(25)}${'a'.repeat(25)}b/)+q+${index});`,
  ),
  'groups with many ways': statements(
    pieces,
    (index) => `use((q+"a".repeat(3000)).replace(/${'(a|aa)'.repeat(20)}c/,"")+q+${index});`,
  ),
  'beginnings of tokens in one text': statements(
    `${pieces}let e="eyey".repeat(9000)+q;`,
    (index) => `use(e+${index});`,
  ),
  'functions that nothing calls': statements(
    pieces,
    (index) => `const g${index}=()=>()=>q+${index}+"abcdefgh";`,
  ),
  'replacements that stand for the whole text': statements(
    `${pieces}let t="a".repeat(20000)+q;`,
    (index) => `use(q+t.replaceAll("a","$\`$'"+${index}));`,
  ),
  'a long text as many arguments of Function': statements(
    `${pieces}let t="a".repeat(500000)+q;`,
    () => `use(q+Function(${'t,'.repeat(40)}t));`,
  ),
  'matches with many groups': statements(
    `${pieces}let t="a".repeat(60000)+q,all=[];`,
    () => `all.push([...t.matchAll(/${'()'.repeat(100)}/g)]);use(q+all);`,
  ),
  'bytes that are filled again and again': statements(
    `${pieces}let b=new Uint8Array(90000);`,
    (index) => `for(let i=0;i<1e6;i++){b.fill(${index});b.reverse();[...b]}use(q+b);`,
  ),
}
