/**
 * Patterns that the analyser does not find linear, each with the bound that the caller or the pattern itself gives. A pattern
 * that could read a longer text of a peer is changed instead.
 */
export const bounded: Readonly<Record<string, string>> = {
  // Counted: of each place, the pattern reads no more characters than its counts allow.
  '/[0-9a-f]{16}|[0-9A-F]{16}/': '16 characters of each place',
  '/["\'`]ZXlK[\\w+/-]{16}|[\\w-]{16}Jye["\'`]/': '21 characters of each place',
  '/<!--[^<>]*-->|<wbr\\s*\\/?>|<([a-z]{1,10})\\b[^<>]{0,200}><\\/\\1>/gi':
    'the next < ends an attempt; the text is cut to 1,024 characters',
  '/(?=[[\\]()!+]{0,40}!\\[\\]\\+)[[\\]()!+]{120}/': '160 characters of each place',
  '/(?:-?(?:0x[0-9a-f]{1,2}|\\d{1,3})\\s*,\\s*){15,}-?(?:0x[0-9a-f]{1,2}|\\d{1,3})/gi':
    '16 numbers match, and what follows them is read once: an attempt that fails has read 15 numbers at most',
  '/(?:(?:0[xX][0-9a-fA-F]{1,2}|\\d{1,3})\\s*,\\s*){7,}/g':
    'an attempt that fails has read 6 numbers at most',
  '/data:(?:text|application)\\/(?:x-)?(?:java|ecma)script[^,"\'`<>\\s]{0,60},/i':
    '90 characters of each place',
  '/^[<>*\\s]{0,8}(?:proxy-)?(?:authorization|cookie|set-cookie|x-api-key)[ \\t]{0,8}:[ \\t]{0,8}(?<value>[^\\r\\n]+)/gim':
    '40 characters of each place, before a value that matches to the end of its line',
  '/:\\/\\/[^\\s/:@]{0,200}:(?<value>[^\\s/@]{1,200})(?=@)/g': '400 characters of each place',
  '/(?:(?:0x|\\\\x)?[0-9a-f]{2}[\\s:;,._-]{1,3}){5,4000}(?:0x|\\\\x)?[0-9a-f]{2}/gi':
    'six pairs match: an attempt that fails has read five at most',
  '/(?:\\d{1,3}\\s{0,2},\\s{0,24}){5,4000}\\d{1,3}/g':
    'six numbers match: an attempt that fails has read five at most',

  '/\\[\\s{0,9}((?:(?:0x[0-9a-fA-F]{1,2}|\\d{1,3})\\s{0,9},\\s{0,9}){13,120}(?:0x[0-9a-fA-F]{1,2}|\\d{1,3})),?\\s{0,9}\\]/g':
    '121 numbers behind each bracket, with 18 blanks at most around each comma; the next bracket ends an attempt',

  // The caller cuts the text.
  '/\\[[^\\]]*\\]/g': 'the source of a pattern, of 512 characters (longestPattern)',
  '/(?<!\\[)\\[*(?:[BCDFIJSZ]|L[^;]+;)/g':
    'the text ends with ";": each L finds one, and the next attempt begins behind it',
  '/(?<!\\bexport\\s+(?:const|let|var)\\s+)(?<![\\w$.#])([A-Za-z_$][\\w$]*)\\s*=\\s*$/':
    '200 characters (looked)',
  '/[^"\'`<>{}\\n\\0]*$/': '200 characters (looked)',
  '/(?:^|[=(,:;!&|?{}[+\\s]|\\breturn|=>)\\/(?![/*])(?:[^/\\n"\'`\\\\]|\\\\.){0,60}$/':
    '200 characters (looked)',
  '/[\'"`]%[\'"`][\\s\\S]{0,80}[\'"`]00[\'"`][\\s\\S]{0,120}slice/':
    '1,500 characters (farthest), once a script',
  '/Attention Required! \\| Cloudflare|<title>Just a moment|Sorry, you have been blocked|Incapsula incident|_Incapsula_|Request unsuccessful|The requested URL was rejected|Mod_?Security|Sucuri|Access Denied[\\s\\S]{0,400}Reference|Request blocked|AkamaiGHost|<title>[^<]*(?:WAF|web application firewall)/i':
    '16,384 characters (searchedCharacters), of each place 400',
  '/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"/gs': 'the text is JSON, which was parsed: every string ends',
  '/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|[{}[\\],]/gs': 'the text is JSON, which was parsed: every string ends',

  // Headers: Node reads 16 KB of them, without line breaks.
  '/^bearer +(.+)$/i': 'a header has no line break, at which the dot would stop',
  '/^bearer +(\\S+?)\\.*$/i': 'a header of 16 KB, which the suite sends to its own reference',

  '/(<(style|script|svg)\\b[^>]{0,2000}>)([\\s\\S]*?)(<\\/\\2\\s*>|$)/gi':
    'the content ends at the latest with the text; an attempt that fails has read 2,000 characters of a tag',

  // Texts that no peer writes.
  '/([?&][^=&#]*=)[^&#]*/g': 'an address of the configuration',
  '/=+$/': 'base64 of the prefix of keys',
  '/[[{].*[:,[]\\s*\\$\\{/': 'a line of the configuration',
  '/^[^.:]+\\.([^:]*[^.:\\d][^:]*\\.[^.:\\d]+)(?::\\d+)?$/':
    'a host of the configuration, parsed as an address',
  '/^# (.+)\\n\\n(.+?)\\n\\n(For [^\\n]+\\.)\\n/s': 'a page of docs/fixes',
  '/^```(\\w*)\\n(.*?)^```$/gms': 'a page of docs/fixes',
  '/(?<=\\/[^/a-z]*)[a-z](?=[^/]*\\/?$)/i': 'the path of a URL of the configuration',
  '/\\+[^@]*@/': 'a userId of the suite, in a broken variant of the reference',
}

/** Files that assemble patterns, each with what the pieces are made of. */
export const assembled: Readonly<Record<string, string>> = {
  'audit/src/script/machine/library/counted-pattern.ts':
    'a class of characters of a script, tried on one character; the whole pattern pays for each place, and its constructor only hands it on',
  'audit/src/bytecode/text.ts':
    'a pattern of the program, of 200 characters, which is paid for at worst before it is tried',
  'audit/src/bytecode/library/platform.ts':
    'a pattern of the program, of 200 characters, which is paid for at worst before it is tried',
  'audit/src/bytecode/worth.ts': 'the prefix, with 8 other characters at most between its parts',
  'audit/src/containers/registry.ts': 'suffixes of names, in no repetition',
  'audit/src/containers/tar.ts': 'a field of pax behind digits at the start of a line',
  'audit/src/formats/text-formats.ts': 'blanks and a mark; sticky, behind a string that ended',
  'audit/src/formats/hermes/patterns.ts':
    'a pattern of the bundle, of 512 characters, which is paid for at worst before it is tried',
  'audit/src/model/location.ts': 'the prefix and the rest of a key, which always matches',
  'audit/src/model/mention.ts': 'a name of the script, in no repetition',
  'audit/src/model/name-shape.ts': 'digits of times, all counted',
  'audit/src/scan/decode.ts': 'escapes, in no repetition',
  'audit/src/scan/needles.ts': 'escapes of the prefix; zeros repeat between two marks alone',
  'audit/src/scan/torn-texts.ts':
    'the prefix with four tags of 200 characters at most between two characters',
  'audit/src/script/clues/clues.ts':
    'pieces of the prefix with counted gaps; zeros repeat between two marks alone',
  'audit/src/script/clues/disguised.ts':
    'the prefix with a word, or one escape, for each character; literals of twelve characters, all counted',
  'audit/src/script/machine/library/code.ts':
    'a pattern of the script, which is paid for where it is tried (payForPattern)',
  'audit/src/script/machine/library/text-methods.ts':
    'a pattern of the script, which is paid for where it is tried (payForPattern)',
  'audit/src/script/clues/obfuscated.ts': 'literals of the same file, as alternatives',
  'audit/src/script/clues/random-literals.ts': 'names that are written, in no repetition',
  'audit/src/script/reach/seeds.ts': 'pieces of the encoded prefix, in no repetition',
  'audit/src/script/clues/spelling.ts': 'pieces of the prefix, in no repetition',
  'audit/src/script/clues/words-apart.ts': 'the words of the prefix with counted gaps of sixty characters',
  'src/base/evidence/mask/mask.ts': 'an escape of a terminal with 20 digits at most',
  'src/base/evidence/mask/patterns.ts': 'digits of times, all counted',
  'src/base/process-identity.ts': 'the identity of a process, which the suite wrote',
  'src/roles/client/proxy/url-glob.ts': 'a glob of the configuration, of few stars',
  'src/roles/signaling/template.ts': 'two placeholders at most, the last one at the end',
  'src/run/playwright-settings.ts': 'ids of requirements, in no repetition',
  'src/run/provision/engine/orphans.ts': 'the identity of a process, which the suite wrote',
  'suites/mint/accepts-key-only-as-bearer.ts': 'the name of a field, in a broken variant of the reference',
  'suites/mint/rejects-near-miss-keys.ts': 'a key of the suite, in a broken variant of the reference',
}
