/** How C# puts a key together, as bodies of methods that return it. Each is given the key. */
type Write = (key: string) => string

const quote = JSON.stringify
const codes = (key: string) => [...Buffer.from(key)]
const base64 = (text: string) => Buffer.from(text).toString('base64')
const characters = (key: string) => [...key].map((character) => `'${character}'`).join(',')

const dotnetIdioms: Readonly<Record<string, Write>> = {
  plus: (k) => `string a = Id("ac_live_"); return a + ${quote(k.slice(8))};`,
  plusThree: (k) => `string a = "ac_"; a += "live_"; return Id(a) + ${quote(k.slice(8))};`,
  concat: (k) => `return string.Concat("ac_", Id("live_"), ${quote(k.slice(8))});`,
  concatFive: (k) => `return string.Concat(new string[] { "ac", "_", "live", "_", ${quote(k.slice(8))} });`,
  join: (k) => `return string.Join("_", "ac", "live", ${quote(k.slice(8))});`,
  joinList: (k) =>
    `var l = new List<string> { "ac_", "live_" }; l.Add(${quote(k.slice(8))}); return string.Join("", l);`,
  format: (k) => `return string.Format("{0}_{1}_{2}", "ac", "live", ${quote(k.slice(8))});`,
  formatMany: (k) =>
    `return string.Format("{0}{1}{2}{3}", "ac_", "live_", ${quote(k.slice(8, 16))}, ${quote(k.slice(16))});`,
  interpolated: (k) => `string p = Id("ac_live_"); return $"{p}{${quote(k.slice(8))}}";`,
  builder: (k) =>
    `var b = new StringBuilder("ac_"); b.Append("live_").Append(${quote(k.slice(8))}); return b.ToString();`,
  builderCharacters: (k) =>
    `var b = new StringBuilder(); foreach (char c in new[] { ${characters(k)} }) b.Append(c); return b.ToString();`,
  builderFormat: (k) =>
    `var b = new StringBuilder(); b.AppendFormat("{0}_{1}_", "ac", "live"); b.Append(${quote(k.slice(8))}); return b.ToString();`,
  builderInsert: (k) =>
    `var b = new StringBuilder(${quote(k.slice(3))}); b.Insert(0, "ac_"); return b.ToString();`,
  characters: (k) => `return new string(new[] { ${characters(k)} });`,
  bytes: (k) => `return Encoding.UTF8.GetString(new byte[] { ${codes(k).join(',')} });`,
  ascii: (k) =>
    `var b = new byte[] { ${codes(k).join(',')} }; return Encoding.ASCII.GetString(b, 0, b.Length);`,
  base64: (k) =>
    `return Encoding.UTF8.GetString(Convert.FromBase64String(${quote(base64(k).slice(0, 10))} + Id(${quote(base64(k).slice(10))})));`,
  base64Pieces: (k) =>
    `return Decode(${quote(base64(k.slice(0, 9)))}) + Decode(${quote(base64(k.slice(9)))});`,
  xorLoop: (k) =>
    `var a = new byte[] { ${codes(k)
      .map((c) => c ^ 0x5a)
      .join(',')} }; for (int i = 0; i < a.Length; i++) a[i] ^= 0x5a; return Encoding.UTF8.GetString(a);`,
  intLoop: (k) =>
    `int[] a = { ${codes(k)
      .map((c) => c + 2)
      .join(',')} }; string s = ""; foreach (int n in a) s += (char)(n - 2); return s;`,
  forLoop: (k) =>
    `var a = new[] { ${quote(k.slice(0, 6))}, ${quote(k.slice(6, 12))}, ${quote(k.slice(12))} }; string s = ""; for (int i = 0; i < a.Length; i++) s += a[i]; return s;`,
  shifted: (k) =>
    `string t = ${quote([...k].map((c) => String.fromCharCode(c.charCodeAt(0) + 1)).join(''))}; var c = t.ToCharArray(); for (int i = 0; i < c.Length; i++) c[i]--; return new string(c);`,
  reversed: (k) =>
    `var c = ${quote([...k].reverse().join(''))}.ToCharArray(); Array.Reverse(c); return new string(c);`,
  linqReverse: (k) => `return new string(${quote([...k].reverse().join(''))}.Reverse().ToArray());`,
  linqSelect: (k) =>
    `return string.Concat(new[] { ${codes(k).join(',')} }.Select(n => ((char)n).ToString()));`,
  linqAggregate: (k) =>
    `return new[] { "ac_", "live_", ${quote(k.slice(8))} }.Aggregate("", (a, b) => a + b);`,
  replace: (k) => `return ${quote(k.replaceAll('_', '~'))}.Replace('~', '_');`,
  replaceWord: (k) => `return ${quote(k.replace('live', 'XXXX'))}.Replace("XXXX", "live");`,
  substring: (k) =>
    `return ${quote(`zz${k.slice(0, 12)}`)}.Substring(2) + ${quote(`${k.slice(12)}yy`)}.Substring(0, ${k.length - 12});`,
  fields: (k) => `return Part + Other(${quote(k.slice(8))});`,
  property: (k) => `return new Holder(${quote(k.slice(8))}).Key;`,
  constants: (k) => `return Names.Prefix() + ${quote(k.slice(8))};`,
  dictionary: (k) =>
    `var d = new Dictionary<string, string> { { "p", "ac_live_" }, { "s", ${quote(k.slice(8))} } }; return d["p"] + d["s"];`,
  switchText: (k) =>
    `string s = ""; for (int i = 0; i < 3; i++) switch (i) { case 0: s += "ac_"; break; case 1: s += "live_"; break; default: s += ${quote(k.slice(8))}; break; } return s;`,
  ternary: (k) => `return (DateTime.Now.Year > 2000 ? "ac_live_" : "ac_test_") + ${quote(k.slice(8))};`,
  lambda: (k) => `Func<string, string> f = s => "ac_live_" + s; return f(${quote(k.slice(8))});`,
  lazy: (k) => `return Head.Value + ${quote(k.slice(8))};`,
  split: (k) => `return string.Join("_", ${quote(k.replaceAll('_', '|'))}.Split('|'));`,
  upper: (k) => `return "AC_LIVE_".ToLowerInvariant() + ${quote(k.slice(8))};`,
  regex: (k) =>
    `return System.Text.RegularExpressions.Regex.Replace(${quote(k.replace(/(.{3})/g, '$1-'))}, "[^A-Za-z0-9_]", "");`,
  unescaped: (k) => `return Uri.UnescapeDataString("%61%63%5f%6c" + Id(${quote(`ive%5F${k.slice(8)}`)}));`,
  memoryStream: (k) =>
    `var m = new System.IO.MemoryStream(); var a = Encoding.UTF8.GetBytes("ac_live_"); m.Write(a, 0, a.Length); var b = Encoding.UTF8.GetBytes(${quote(k.slice(8))}); m.Write(b, 0, b.Length); return Encoding.UTF8.GetString(m.ToArray());`,
  blockCopy: (k) =>
    `var a = new byte[] { ${codes(k.slice(0, 8)).join(',')} }; var b = new byte[] { ${codes(k.slice(8)).join(',')} }; var o = new byte[a.Length + b.Length]; Buffer.BlockCopy(a, 0, o, 0, a.Length); Buffer.BlockCopy(b, 0, o, a.Length, b.Length); return Encoding.UTF8.GetString(o);`,
  selectCharacters: (k) =>
    `return string.Concat(new[] { ${codes(k)
      .map((c) => c ^ 5)
      .join(',')} }.Select(n => (char)(n ^ 5)));`,
  sorted: (k) =>
    `var d = new Dictionary<int, string> { { 3, ${quote(k.slice(18))} }, { 1, "ac_live_" }, { 2, ${quote(k.slice(8, 18))} } }; return string.Concat(d.OrderBy(p => p.Key).Select(p => p.Value));`,
  tuple: (k) => `var t = Tuple.Create("ac_live_", ${quote(k.slice(8))}); return t.Item1 + t.Item2;`,
  textOfObject: (k) =>
    `var c = new Credentials { Head = "ac_live_", Rest = ${quote(k.slice(8))} }; return c.ToString();`,
  overridden: (k) => `return new Child(${quote(k.slice(8))}).Key();`,
}

/** A method that waits is a class with a method that is called again behind each wait. */
function waitingMethod(key: string): string {
  return `  public static async System.Threading.Tasks.Task<string> Waiting() { string p = Id("ac_live_"); await System.Threading.Tasks.Task.Delay(1); return p + ${quote(key.slice(8))}; }`
}

/** Classes of compilers in several classes have the same names; structures are no objects. */
function nested(key: (idiom: string) => string): string {
  const rest = (idiom: string) => quote(key(idiom).slice(8))
  return `public static class Listed {
  static IEnumerable<string> Parts() { yield return "ac"; yield return "live"; yield return ${rest('iterator')}; }
  public static string Key() { return string.Join("_", Parts()); }
}
public static class Looped {
  static IEnumerable<string> Parts(string stage) { foreach (var part in new[] { "ac_", stage, ${rest('loop of an iterator')} }) yield return part; }
  public static string Key() { var b = new StringBuilder(); foreach (var part in Parts("live_")) b.Append(part); return b.ToString(); }
}
public static class Structured {
  struct Options { public string Head, Rest; public string Full { get { return Head + Rest; } } }
  public static string Key() { Options o; o.Head = "ac_live_"; o.Rest = ${rest('structure')}; return o.Full; }
}`
}

export function dotnetSource(key: (idiom: string) => string): string {
  const methods = Object.entries(dotnetIdioms).map(
    ([name, write]) =>
      `  public static string ${name[0]?.toUpperCase()}${name.slice(1)}_() { ${write(key(name))} }`,
  )
  return `using System; using System.Collections.Generic; using System.Linq; using System.Text;
static class Names { public static string Prefix() { return "ac_live_"; } public static string Live() { return "live_"; } }
class Credentials { public string Head { get; set; } public string Rest { get; set; } public override string ToString() { return Head + Rest; } }
abstract class Parent { protected virtual string Head() { return ""; } protected abstract string Rest(); public string Key() { return Head() + Rest(); } }
class Child : Parent { readonly string rest; public Child(string r) { rest = r; } protected override string Head() { return "ac_" + Names.Live(); } protected override string Rest() { return rest; } }
class Holder { readonly string prefix = "ac_live_"; readonly string rest; public Holder(string r) { rest = r; } public string Key { get { return prefix + rest; } } }
public static class Idioms {
  static readonly string Part = Id("ac_live_");
  static readonly Lazy<string> Head = new Lazy<string>(() => "ac_live_");
  static string Id(string s) { return s.Length > 1000 ? "" : s; }
  static string Other(string s) { return s; }
  static string Decode(string s) { return Encoding.UTF8.GetString(Convert.FromBase64String(s)); }
${[...methods, waitingMethod(key('waiting'))].join('\n')}
}
${nested(key)}
`
}
