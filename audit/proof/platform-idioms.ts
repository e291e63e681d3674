/** How apps put a key together with what the platform gives them, as bodies of methods that return it. */
type Write = (key: string) => string

const quote = JSON.stringify
const codes = (key: string) => [...Buffer.from(key)]
const backwards = (key: string) => [...key].reverse().join('')
const hex = (key: string) => Buffer.from(key).toString('hex')
const between = (key: string, mark: string) => key.replace(/(.{3})/g, `$1${mark}`)
const shifted = (key: string, by: number) =>
  [...key].map((char) => String.fromCharCode(char.charCodeAt(0) + by)).join('')

/** Moves letters by half of the alphabet, as `rot` of the class `Idioms` undoes it. */
const rotated = (key: string) =>
  key.replace(/[a-z]/gi, (letter) => {
    const code = letter.toLowerCase().charCodeAt(0) + 13
    const moved = String.fromCharCode(code > 122 ? code - 26 : code)
    return letter === letter.toLowerCase() ? moved : moved.toUpperCase()
  })

/** Methods of the class that the idioms are in. */
export const javaHelpers = `
  enum Env { TEST, LIVE }
  static String rot(String s) { StringBuilder b = new StringBuilder(); for (char c : s.toCharArray()) { if (c >= 'a' && c <= 'z') c = (char) ((c - 'a' + 13) % 26 + 'a'); else if (c >= 'A' && c <= 'Z') c = (char) ((c - 'A' + 13) % 26 + 'A'); b.append(c); } return b.toString(); }
  static String flip(String s) { return s.isEmpty() ? "" : flip(s.substring(1)) + s.charAt(0); }
  static String open(int[] in) { String salt = "Sh0pK"; StringBuilder b = new StringBuilder(in.length); for (int i = 0; i < in.length; i++) b.append((char) (in[i] ^ salt.charAt(i % salt.length()))); return b.toString(); }
  static class Credentials { private String head, rest; void head(String s) { head = s; } void rest(String s) { rest = s; } @Override public String toString() { return head + "_" + rest; } }
`

export const javaPlatformIdioms: Readonly<Record<string, Write>> = {
  messageFormat: (k) =>
    `return java.text.MessageFormat.format("{0}_{1}_{2}", "ac", "live", ${quote(k.slice(8))});`,
  defaultProperty: (k) => `return System.getProperty("call.prefix", "ac_live_") + ${quote(k.slice(8))};`,
  properties: (k) =>
    `java.util.Properties p = new java.util.Properties(); p.setProperty("prefix", "ac_live_"); p.setProperty("key", ${quote(k.slice(8))}); return p.getProperty("prefix") + p.getProperty("key");`,
  urlDecoder: (k) =>
    `try { return java.net.URLDecoder.decode("%61%63%5f%6c" + id(${quote(`%69%76%65%5f${k.slice(8)}`)}), "UTF-8"); } catch (Exception e) { return ""; }`,
  arrayCopy: (k) =>
    `byte[] a = {${codes(k.slice(0, 8)).join(',')}}; byte[] b = {${codes(k.slice(8)).join(',')}}; byte[] o = new byte[a.length + b.length]; System.arraycopy(a, 0, o, 0, a.length); System.arraycopy(b, 0, o, a.length, b.length); return new String(o);`,
  bytesOut: (k) =>
    `try { java.io.ByteArrayOutputStream o = new java.io.ByteArrayOutputStream(); o.write("ac_live_".getBytes()); o.write(${quote(k.slice(8))}.getBytes()); return o.toString(); } catch (java.io.IOException e) { return ""; }`,
  replaceClass: (k) => `return ${quote(between(k, '#!'))}.replaceAll("[^A-Za-z0-9_]", "");`,
  replaceJunk: (k) => `return ${quote(k.replace(/(.{2})/g, '$1~'))}.replace("~", "");`,
  pattern: (k) =>
    `return java.util.regex.Pattern.compile("\\\\s+").matcher(${quote(between(k, ' '))}).replaceAll("");`,
  getChars: (k) =>
    `char[] c = new char[${k.length}]; "ac_live_".getChars(0, 8, c, 0); ${quote(k.slice(8))}.getChars(0, ${k.length - 8}, c, 8); return new String(c);`,
  tokenizer: (k) =>
    `java.util.StringTokenizer t = new java.util.StringTokenizer(${quote(`ac,live,${k.slice(8)}`)}, ","); return t.nextToken() + "_" + t.nextToken() + "_" + t.nextToken();`,
  rotated: (k) => `return rot(${quote(rotated(k))});`,
  recursion: (k) => `return flip(${quote(backwards(k))});`,
  helperOfNumbers: (k) =>
    `return open(new int[] {${codes(k)
      .map((code, at) => code ^ 'Sh0pK'.charCodeAt(at % 5))
      .join(',')}});`,
}

/** The same with classes of the program: a class file has only one of them. */
export const javaObjectIdioms: Readonly<Record<string, Write>> = {
  textOfObject: (k) =>
    `Credentials c = new Credentials(); c.head("ac_live"); c.rest(${quote(k.slice(8))}); Object o = c; return o.toString();`,
}

/** The same with calls that came with Java 8. */
export const java8Idioms: Readonly<Record<string, Write>> = {
  optional: (k) =>
    `return java.util.Optional.of("ac_").map(s -> s + "live_").orElse("") + ${quote(k.slice(8))};`,
  range: (k) =>
    `int[] c = {${codes(k)
      .map((code) => code ^ 9)
      .join(
        ',',
      )}}; return java.util.stream.IntStream.range(0, c.length).mapToObj(i -> String.valueOf((char) (c[i] ^ 9))).collect(java.util.stream.Collectors.joining());`,
  chars: (k) =>
    `return ${quote(shifted(backwards(k), 1))}.chars().mapToObj(c -> (char) (c - 1)).map(String::valueOf).reduce("", (a, b) -> b + a);`,
}

/** The same with calls that came after Java 8. */
export const java17Idioms: Readonly<Record<string, Write>> = {
  mapOf: (k) =>
    `var m = java.util.Map.of("p", "ac_live_", "s", ${quote(k.slice(8))}); return m.get("p") + m.get("s");`,
  formatted: (k) => `return "ac_live_%s".formatted(id(${quote(k.slice(8))}));`,
}

export const kotlinHelpers = `
enum class Stage { TEST, LIVE }
enum class Part(val text: String) { A("ac_liv"), B("e_") }
`

export const kotlinPlatformIdioms: Readonly<Record<string, Write>> = {
  sortedBy: (k) =>
    `= listOf(3 to ${quote(k.slice(18))}, 1 to "ac_live_", 2 to ${quote(k.slice(8, 18))}).sortedBy { it.first }.joinToString("") { it.second }`,
  regex: (k) => `= ${quote(between(k, '.'))}.replace(Regex("[^A-Za-z0-9_]"), "")`,
  toRegex: (k) => `= ${quote(between(k, ' '))}.replace("\\\\s+".toRegex(), "")`,
  surrounded: (k) =>
    `= ${quote(`<${k.replace('live_', '')}>`)}.removeSurrounding("<", ">").replaceRange(3, 3, "live_")`,
  flattened: (k) =>
    `= listOf(listOf("ac_liv", "e_"), listOf(${quote(k.slice(8, 15))}, ${quote(k.slice(15))})).flatten().joinToString("")`,
  nameOfEnum: (k) => `= Stage.LIVE.name.toLowerCase().let { "ac_\${it}_" } + ${quote(k.slice(8))}`,
  valuesOfEnum: (k) => `= Part.values().joinToString("") { it.text } + ${quote(k.slice(8))}`,
  splitWords: (k) => `= "ac,live".split(",").joinToString("_", postfix = "_") + ${quote(k.slice(8))}`,
  reversedArray: (k) =>
    `= arrayOf(${quote(k.slice(18))}, ${quote(k.slice(8, 18))}, "e_", "ac_liv").reversedArray().joinToString("")`,
  chunkedHex: (k) => `= ${quote(hex(k))}.chunked(2).map { it.toInt(16).toChar() }.joinToString("")`,
}
