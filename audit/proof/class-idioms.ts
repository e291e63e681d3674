/** Gives a new key for an idiom. */
type Keys = (idiom: string) => string

/** Writes Kotlin whose keys are spread over classes. */
export function kotlinClasses(key: Keys): string {
  const rest = (idiom: string) => key(idiom).slice(8)
  return `import java.util.Locale
object Config { const val P = "ac_"; val live = "live_"; @JvmField val arr = arrayOf("ac_", "live_") ; val codes = intArrayOf(97,99,95,108,105,118,101,95) }
enum class Env(val prefix: String, val secret: String) { PROD("ac_live_", "${rest('constructor of an enum')}"), TEST("ac_test_", "xx"); fun key() = prefix + secret }
class Holder { companion object { const val HEAD = "ac_live_"; val tail = "${rest('companion')}"; fun full() = id(HEAD) + tail } }
fun id(s: String): String = if (s.length > 1000) "" else s
data class Pair2(val a: String, val b: String)
class Api(private val prefix: String) { private val rest = "${rest('property of a class')}"; fun key() = prefix + rest }
sealed class Part { abstract val text: String; class Head : Part() { override val text = "ac_live_" }; class Tail : Part() { override val text = "${rest('lambda over subclasses')}" } }
interface Source { fun head(): String = "ac_live_" }
class Impl : Source { fun key() = head() + "${rest('default of an interface')}" }
fun part(name: String) = when (name) { "head" -> "ac_"; "mid" -> "live_"; "tail" -> "${rest('when')}"; else -> "" }
fun kEnum() = Env.PROD.key()
fun kHolder() = Holder.full()
fun kApi() = Api("ac_live_").key()
fun kSealed(): String { val p: List<Part> = listOf(Part.Head(), Part.Tail()); return p.joinToString("") { it.text } }
fun kImpl() = Impl().key()
fun kWhen() = part("head") + part("mid") + part("tail")
fun kObject() = Config.P + Config.live + "${rest('object')}"
fun kArr() = Config.arr.joinToString("") + "${rest('array in another class')}"
fun kCodes() = Config.codes.map { it.toChar() }.joinToString("") + "${rest('numbers in another class')}"
fun kData(): String { val (a, b) = Pair2("ac_live_", "${rest('data class')}"); return a + b }
fun kCapture(): String { val head = id("ac_live_"); val f = { s: String -> head + s }; return f("${rest('lambda that captures')}") }
fun kTry(): String = try { id("ac_live_") + "${rest('try')}" } catch (e: Exception) { "" }
fun kMap(): String { val m = mapOf("p" to "ac_live_", "s" to "${rest('map')}"); return m["p"] + m.getValue("s") }
fun String.glue(o: String) = this + o
fun kExt() = "ac_live_".glue("${rest('extension')}")
fun kApply() = StringBuilder().apply { append("ac_"); append("live_"); append("${rest('apply')}") }.toString()
fun kLet() = "ac_live_".let { it + "${rest('let')}" }
fun kZip() = listOf("ac_", "live_").plus("${rest('fold')}").fold("") { a, b -> a + b }
fun kFormat() = "%s_%s_%s".format(Locale.US, "ac", "live", "${rest('format with a locale')}")
fun kSeq() = sequenceOf("ac_", "live_", "${rest('sequence')}").joinToString("")
class Lazy2 { private val k by lazy { id("ac_live_") + "${rest('lazy property')}" }; fun key() = k }
fun kLazy() = Lazy2().key()
fun kDefault(p: String = "ac_live_", s: String = "${rest('default arguments')}") = p + s
fun kCall() = kDefault()
`
}

/** Writes Java whose keys go through lambdas, references to methods and streams. */
export function javaLambdas(key: Keys): string {
  const rest = (idiom: string) => key(idiom).slice(8)
  return `import java.util.*; import java.util.function.*; import java.util.stream.*;
public class Lambdas {
  static String id(String s) { return s.length() > 1000 ? "" : s; }
  public static String a() { Function<String,String> f = s -> "ac_live_" + s; return f.apply("${rest('lambda')}"); }
  public static String b() { String h = id("ac_live_"); Supplier<String> f = () -> h + "${rest('lambda that captures')}"; return f.get(); }
  public static String c() { return Stream.of("ac_", "live_", "${rest('stream of texts')}").map(s -> s.trim()).collect(Collectors.joining()); }
  public static String d() { return IntStream.of(${[...Buffer.from(key('stream of numbers'))].join(',')}).mapToObj(c -> String.valueOf((char) c)).collect(Collectors.joining()); }
  public static String e() { return Stream.of("ac_", "live_", "${rest('reference to a method')}").reduce("", String::concat); }
  static String part(String n) { switch (n) { case "h": return "ac_"; case "m": return "live_"; default: return "${rest('switch of texts')}"; } }
  public static String f() { return part("h") + part("m") + part("t"); }
  public static String h() { BiFunction<String,String,String> f = String::concat; return f.apply(id("ac_live_"), "${rest('reference to a method of two')}"); }
}
`
}

/** Writes Java whose keys are spread over classes: a jar has a separate file for each class. */
export function javaClasses(key: Keys): string {
  const rest = (idiom: string) => key(idiom).slice(8)
  const written = (text: string) => [...Buffer.from(text)]
  const base64 = Buffer.from(key('base64 by another class')).toString('base64')
  const word = 'orca'
  const masked = written(key('word as a mask in another class')).map(
    (code, at) => code ^ word.charCodeAt(at % 4),
  )
  const shifted = [...key('characters that another class shifts')]
    .map((char) => String.fromCharCode(char.charCodeAt(0) + 1))
    .join('')
  const characters = [...key('characters in another class')].map((char) => `'${char}'`)
  return `import java.util.*;
class Parts { static final String[] LIST = { id("ac_"), "${rest('list in another class')}" }; static String stage() { return "live_"; } static String id(String s) { return s; } }
class Prefix { private final String stage; Prefix(String s) { stage = s; } String text() { return "ac_" + stage + "_"; } }
enum Stage { LIVE("live"), TEST("test"); final String text; Stage(String t) { text = t; } }
interface Brand { default String brand() { return Parts.id("ac_"); } }
class Branded implements Brand { String key() { return brand() + "live_" + "${rest('default method of an interface')}"; } }
abstract class Base { abstract String secret(); String key() { return "ac_" + "live".concat("_") + secret(); } }
class Derived extends Base { String secret() { return "${rest('method of a subclass')}"; } }
class KeyBuilder { private final StringBuilder b = new StringBuilder(); KeyBuilder add(String p) { b.append(p); return this; } String build() { return b.toString(); } }
class Decoder64 { static String decode(String s) { return new String(Base64.getDecoder().decode(s)); } }
class Mask { static final byte[] PAD = "${word}".getBytes(); static String open(byte[] d) { byte[] o = new byte[d.length]; for (int i = 0; i < d.length; i++) o[i] = (byte) (d[i] ^ PAD[i % PAD.length]); return new String(o); } }
class Letters { static final char[] ALL = { ${characters.join(', ')} }; }
class Named { static final Map<String, String> ALL = new HashMap<>(); static { ALL.put("a", "ac_"); ALL.put("b", "live_"); ALL.put("c", "${rest('map in another class')}"); } }
class Settings { private static Settings one; String prefix = "ac_live"; static Settings get() { if (one == null) one = new Settings(); return one; } }
class Fill { static String in(String t, String k, String v) { return t.replace("{" + k + "}", v); } }
enum Part { A("ac_"), B("live_"), C("${rest('values of an enum')}"); final String text; Part(String t) { text = t; } }
class Credentials { private String head, rest; void head(String s) { head = s; } void rest(String s) { rest = s; } public String toString() { return head + "_" + rest; } }
class Shift { static String back(String s) { StringBuilder b = new StringBuilder(); for (int i = 0; i < s.length(); i++) b.append((char) (s.charAt(i) - 1)); return b.toString(); } }
record Config(String brand, String stage, String id) { String key() { return brand + "_" + stage + "_" + id; } }
class Shifted { static String key() { return Shift.back("${shifted}"); } }
public class Classes {
  static final byte[] HIDDEN = { ${masked.join(', ')} };
  static void list() { send(Parts.LIST[0] + Parts.stage() + Parts.LIST[1]); }
  static void prefix() { send(new Prefix("live").text() + "${rest('text of another class')}"); }
  static void stage() { send("ac_" + Stage.LIVE.text + "_" + "${rest('field of an enum')}"); }
  static void branded() { send(new Branded().key()); }
  static void derived() { send(new Derived().key()); }
  static void builder() { send(new KeyBuilder().add("ac_").add("live_").add("${rest('builder of another class')}").build()); }
  static void base64() { send(Decoder64.decode("${base64.slice(0, 11)}" + tail())); }
  static String tail() { return "${base64.slice(11)}"; }
  static void mask() { send(Mask.open(HIDDEN)); }
  static void letters() { send(String.valueOf(Letters.ALL)); }
  static void named() { send(Named.ALL.get("a") + Named.ALL.get("b") + Named.ALL.get("c")); }
  static void settings() { send(Settings.get().prefix + "_" + "${rest('field of a singleton')}"); }
  static void fill() { send(Fill.in(Fill.in("ac_{s}_{i}", "s", "live"), "i", "${rest('marks that are filled in')}")); }
  static void config() { send(new Config("ac", "live", "${rest('record')}").key()); }
  static void parts() { StringBuilder b = new StringBuilder(); for (Part p : Part.values()) b.append(p.text); send(b.toString()); }
  static void lowered() { send("ac_" + Stage.LIVE.name().toLowerCase() + "_" + "${rest('name of an enum')}"); }
  static void credentials() { Credentials c = new Credentials(); c.head("ac_live"); c.rest("${rest('text of an object')}"); Object o = c; send(o.toString()); }
  static void send(String key) { System.out.println(key); }
}
`
}
