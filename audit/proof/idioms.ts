/**
 * How programs put a key together, as bodies of Java methods that return it. Each is given the key, and writes it so that
 * neither a compiler nor a search of the bytes sees it whole.
 */
type Write = (key: string) => string

const quote = JSON.stringify
const codes = (key: string) => [...Buffer.from(key)]
const backwards = (key: string) => [...key].reverse().join('')
const base64 = (key: string) => Buffer.from(key).toString('base64')
const characters = (key: string) => [...key].map((character) => `'${character}'`).join(',')

export const javaIdioms: Readonly<Record<string, Write>> = {
  builder: (k) =>
    `StringBuilder b = new StringBuilder(); b.append(${quote(k.slice(0, 4))}); b.append(${quote(k.slice(4, 12))}); b.append(${quote(k.slice(12))}); return b.toString();`,
  builderCtor: (k) =>
    `return new StringBuilder(${quote(k.slice(0, 3))}).append(${quote(k.slice(3, 9))}).append(${quote(k.slice(9))}).toString();`,
  buffer: (k) =>
    `StringBuffer b = new StringBuffer(); b.append(${quote(k.slice(0, 6))}).append(${quote(k.slice(6))}); return b.toString();`,
  plusVar: (k) => `String a = id(${quote(k.slice(0, 3))}); String c = ${quote(k.slice(3))}; return a + c;`,
  plusLocals: (k) => `String p = P1; String q = "live_"; return p + q + ${quote(k.slice(8))};`,
  concat: (k) =>
    `return ${quote(k.slice(0, 5))}.concat(${quote(k.slice(5, 10))}).concat(${quote(k.slice(10))});`,
  join: (k) => `return String.join("_", "ac", "live", ${quote(k.slice(8))});`,
  joinList: (k) =>
    `return String.join("", java.util.Arrays.asList(${quote(k.slice(0, 7))}, ${quote(k.slice(7))}));`,
  format: (k) => `return String.format("%s_%s_%s", "ac", "live", ${quote(k.slice(8))});`,
  format2: (k) => `return String.format("ac_%s%s", "live_", ${quote(k.slice(8))});`,
  replace: (k) => `return ${quote(k.replace('live', 'XXXX'))}.replace("XXXX", "live");`,
  replaceAll: (k) => `return ${quote(k.replaceAll('_', '-#-'))}.replaceAll("-#-", "_");`,
  replaceChar: (k) => `return ${quote(k.replaceAll('_', '~'))}.replace('~', '_');`,
  substring: (k) =>
    `return ${quote(`zzz${k.slice(0, 8)}`)}.substring(3) + ${quote(`${k.slice(8)}yyy`)}.substring(0, ${k.length - 8});`,
  base64util: (k) => `return new String(java.util.Base64.getDecoder().decode(${quote(base64(k))}));`,
  base64pieces: (k) => {
    const b = base64(k)
    return `return new String(java.util.Base64.getDecoder().decode(${quote(b.slice(0, 10))} + id(${quote(b.slice(10))})), java.nio.charset.StandardCharsets.UTF_8);`
  },
  charArray: (k) => `return new String(new char[] {${characters(k)}});`,
  byteArray: (k) => `return new String(new byte[] {${codes(k).join(',')}});`,
  intArrayLoop: (k) =>
    `int[] a = {${codes(k).join(',')}}; StringBuilder b = new StringBuilder(); for (int i = 0; i < a.length; i++) b.append((char) a[i]); return b.toString();`,
  forEachLoop: (k) =>
    `int[] a = {${codes(k).join(',')}}; StringBuilder b = new StringBuilder(); for (int c : a) b.append((char) c); return b.toString();`,
  xorLoop: (k) =>
    `byte[] a = {${codes(k)
      .map((c) => c ^ 0x5a)
      .join(
        ',',
      )}}; byte[] o = new byte[a.length]; for (int i = 0; i < a.length; i++) o[i] = (byte) (a[i] ^ 0x5a); return new String(o);`,
  xorKeyLoop: (k) =>
    `byte[] a = {${codes(k)
      .map((c, i) => c ^ 'kx7'.charCodeAt(i % 3))
      .join(
        ',',
      )}}; String m = "kx7"; char[] o = new char[a.length]; for (int i = 0; i < a.length; i++) o[i] = (char) (a[i] ^ m.charAt(i % m.length())); return new String(o);`,
  shiftLoop: (k) =>
    `String s = ${quote([...k].map((c) => String.fromCharCode(c.charCodeAt(0) + 1)).join(''))}; StringBuilder b = new StringBuilder(); for (int i = 0; i < s.length(); i++) b.append((char) (s.charAt(i) - 1)); return b.toString();`,
  reverse: (k) => `return new StringBuilder(${quote(backwards(k))}).reverse().toString();`,
  reversePieces: (k) => {
    const r = backwards(k)
    return `return new StringBuilder().append(${quote(r.slice(0, -4))}).append(${quote(r.slice(-4))}).reverse().toString();`
  },
  arrayOfStrings: (k) =>
    `String[] p = {${quote(k.slice(0, 6))}, ${quote(k.slice(6, 14))}, ${quote(k.slice(14))}}; StringBuilder b = new StringBuilder(); for (String s : p) b.append(s); return b.toString();`,
  arrayIndexes: (k) =>
    `String[] p = {${quote(k.slice(14))}, ${quote(k.slice(6, 14))}, ${quote(k.slice(0, 6))}}; return p[2] + p[1] + p[0];`,
  listLoop: (k) =>
    `java.util.List<String> p = new java.util.ArrayList<>(); p.add(${quote(k.slice(0, 6))}); p.add(${quote(k.slice(6))}); StringBuilder b = new StringBuilder(); for (String s : p) b.append(s); return b.toString();`,
  stream: (k) =>
    `return java.util.stream.Stream.of(${quote(k.slice(0, 6))}, ${quote(k.slice(6))}).collect(java.util.stream.Collectors.joining());`,
  conditional: (k) =>
    `return (System.nanoTime() > 5 ? ${quote(k.slice(0, 8))} : "ac_test_") + ${quote(k.slice(8))};`,
  conditional2: (k) =>
    `String p; if (System.nanoTime() < 5) p = "ac_test_"; else p = ${quote(k.slice(0, 8))}; return p.concat(${quote(k.slice(8))});`,
  insert: (k) =>
    `return new StringBuilder(${quote(k.slice(5))}).insert(0, ${quote(k.slice(0, 5))}).toString();`,
  charAppends: (k) =>
    `StringBuilder b = new StringBuilder(); b.append('a').append('c').append('_').append('l').append('i').append('v').append('e').append('_'); b.append(${quote(k.slice(8))}); return b.toString();`,
  hexLoop: (k) =>
    `String h = ${quote(Buffer.from(k).toString('hex'))}; StringBuilder b = new StringBuilder(); for (int i = 0; i < h.length(); i += 2) b.append((char) Integer.parseInt(h.substring(i, i + 2), 16)); return b.toString();`,
  split: (k) => `String[] p = ${quote(`${k.slice(0, 6)}|${k.slice(6)}`)}.split("\\\\|"); return p[0] + p[1];`,
  trim: (k) => `return "  ac_".trim() + ${quote(k.slice(3))};`,
  lower: (k) => `return "AC_LIVE_".toLowerCase() + ${quote(k.slice(8))};`,
  helperTwo: (k) => `return glue(${quote(k.slice(0, 5))}, ${quote(k.slice(5))});`,
  getters: (k) => `return first() + ${quote(k.slice(8))};`,
  textJoin: (k) =>
    `return new java.util.StringJoiner("_").add("ac").add("live").add(${quote(k.slice(8))}).toString();`,
  bearer: (k) => `return "Bearer " + id(${quote(k.slice(0, 8))}) + ${quote(k.slice(8))};`,
  valueOfChars: (k) => `return String.valueOf(new char[] {${characters(k)}});`,
  setCharAt: (k) =>
    `StringBuilder b = new StringBuilder(${quote(`x${k.slice(1)}`)}); b.setCharAt(0, 'a'); return b.toString();`,
  mapGet: (k) =>
    `java.util.Map<String,String> m = new java.util.HashMap<>(); m.put("a", ${quote(k.slice(0, 8))}); m.put("b", ${quote(k.slice(8))}); return m.get("a") + m.get("b");`,
  switchPick: (k) =>
    `String p; switch ((int) System.nanoTime() % 3) { case 0: p = "pk_"; break; case 1: p = ${quote(k.slice(0, 8))}; break; default: p = "sk_"; } return p + ${quote(k.slice(8))};`,
}

/** Idioms with calls that `dx` rejects: it knows only the platform of its time. */
export const laterThanDx = new Set(['joinList', 'stream'])

/** The same as the rest of a Kotlin function: an expression behind `=`, or a block. */
export const kotlinIdioms: Readonly<Record<string, Write>> = {
  template: (k) => `{ val a = id(${quote(k.slice(0, 8))}); return "\${a}${k.slice(8)}" }`,
  plus: (k) => `{ val a = id("ac_"); val b = id("live_"); return a + b + ${quote(k.slice(8))} }`,
  listJoin: (k) =>
    `= listOf(${quote(k.slice(0, 6))}, ${quote(k.slice(6, 13))}, ${quote(k.slice(13))}).joinToString("")`,
  listJoinSep: (k) => `= listOf("ac", "live", ${quote(k.slice(8))}).joinToString(separator = "_")`,
  arrayJoin: (k) => `= arrayOf(${quote(k.slice(0, 6))}, ${quote(k.slice(6))}).joinToString("")`,
  buildString: (k) => `= buildString { append(${quote(k.slice(0, 5))}); append(${quote(k.slice(5))}) }`,
  reversed: (k) => `= ${quote(backwards(k))}.reversed()`,
  chars: (k) => `= String(charArrayOf(${characters(k)}))`,
  bytes: (k) => `= String(byteArrayOf(${codes(k).join(', ')}))`,
  intsMap: (k) => `= intArrayOf(${codes(k).join(', ')}).map { it.toChar() }.joinToString("")`,
  listMap: (k) =>
    `= listOf(${codes(k)
      .map((c) => c + 1)
      .join(', ')}).map { (it - 1).toChar() }.joinToString("")`,
  xorMap: (k) =>
    `= String(byteArrayOf(${codes(k)
      .map((c) => c ^ 21)
      .join(', ')}).map { (it.toInt() xor 21).toByte() }.toByteArray())`,
  replace: (k) => `= ${quote(k.replace('live', '@@'))}.replace("@@", "live")`,
  base64: (k) =>
    `= String(java.util.Base64.getDecoder().decode(${quote(base64(k).slice(0, 8))} + id(${quote(base64(k).slice(8))})))`,
  whenPick: (k) =>
    `{ val p = when (System.nanoTime().toInt() % 3) { 0 -> "pk_"; 1 -> ${quote(k.slice(0, 8))}; else -> "sk_" }; return p + ${quote(k.slice(8))} }`,
  companion: (k) => `= PART_A + Companionish.partB + ${quote(k.slice(8))}`,
  lazyVal: (k) => `= Holder.first + Holder.second + ${quote(k.slice(8))}`,
  substringAfter: (k) => `= ${quote(`prefix:${k.slice(0, 8)}`)}.substringAfter(":") + ${quote(k.slice(8))}`,
  fold: (k) => `= listOf(${quote(k.slice(0, 6))}, ${quote(k.slice(6))}).fold("") { acc, s -> acc + s }`,
  forLoop: (k) =>
    `{ var r = ""; for (p in listOf(${quote(k.slice(0, 6))}, ${quote(k.slice(6))})) r += p; return r }`,
  format: (k) => `= "%s_%s_%s".format("ac", "live", ${quote(k.slice(8))})`,
}
