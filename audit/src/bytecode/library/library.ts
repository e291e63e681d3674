import { pay } from '../../model/effort.ts'
import { type MemberRef, settled, signatureOf, type Value } from '../value.ts'
import { ofBuffer, ofCharset, ofReader } from './buffers.ts'
import type { Host, Reading } from './call.ts'
import { ofArrays, ofCollection, ofCollectors, ofEntry, ofJoiner, ofMap, ofStream } from './collections.ts'
import { dotnetReadingOf } from './dotnet.ts'
import { ofFunctions } from './functions.ts'
import { ofBundle, ofHolder } from './holders.ts'
import {
  ofComparisons,
  ofIntrinsics,
  ofKotlinCollections,
  ofKotlinStrings,
  ofLazy,
  ofTuples,
} from './kotlin.ts'
import { ofBase64, ofCharacter, ofMath, ofNumber, ofObject, ofObjects } from './numbers.ts'
import {
  ofBytesOut,
  ofEnum,
  ofMessageFormat,
  ofOptional,
  ofPatterns,
  ofReflectedArray,
  ofSystem,
  ofTokenizer,
  ofUrls,
} from './platform.ts'
import { ofPlaces, ofRange, ofRanges, ofUnsigned } from './ranges.ts'
import { ofBuilder, ofString, ofTextUtils } from './strings.ts'

/** Classes whose methods are read, by the end of their names: a shrinker moves none of the platform's. */
const readings: Readonly<Record<string, Reading>> = {
  'java/lang/String': ofString,
  'java/lang/CharSequence': ofString,
  'java/lang/StringBuilder': ofBuilder,
  'java/lang/StringBuffer': ofBuilder,
  'java/lang/AbstractStringBuilder': ofBuilder,
  'java/lang/Appendable': ofBuilder,
  'java/lang/Character': ofCharacter,
  'java/lang/Integer': ofNumber,
  'java/lang/Byte': ofNumber,
  'java/lang/Short': ofNumber,
  'java/lang/Long': ofNumber,
  'java/lang/Number': ofNumber,
  'java/lang/Boolean': ofNumber,
  'java/lang/Object': ofObject,
  'java/lang/Math': ofMath,
  'java/lang/Enum': ofEnum,
  'java/lang/System': ofSystem,
  'java/lang/reflect/Array': ofReflectedArray,
  'java/text/MessageFormat': ofMessageFormat,
  'java/net/URLDecoder': ofUrls,
  'android/net/Uri': ofUrls,
  'java/io/ByteArrayOutputStream': ofBytesOut,
  'java/io/OutputStream': ofBytesOut,
  'java/util/Optional': ofOptional,
  'java/util/StringTokenizer': ofTokenizer,
  'java/util/Comparator': ofFunctions,
  'java/lang/ThreadLocal': ofHolder,
  'java/lang/ref/WeakReference': ofHolder,
  'java/lang/ref/SoftReference': ofHolder,
  'java/util/concurrent/CompletableFuture': ofHolder,
  'java/util/concurrent/atomic/AtomicReference': ofHolder,
  'java/util/concurrent/atomic/AtomicInteger': ofHolder,
  'java/util/ResourceBundle': ofBundle,
  'java/util/ListResourceBundle': ofBundle,
  'java/nio/ByteBuffer': ofBuffer,
  'java/nio/CharBuffer': ofBuffer,
  'java/nio/Buffer': ofBuffer,
  'java/nio/charset/Charset': ofCharset,
  'java/io/StringReader': ofReader,
  'java/io/BufferedReader': ofReader,
  'java/io/Reader': ofReader,
  'java/io/InputStreamReader': ofReader,
  'java/io/InputStream': ofReader,
  'java/io/ByteArrayInputStream': ofReader,
  'java/util/Scanner': ofReader,
  'kotlin/text/MatchResult': ofPatterns,
  'kotlin/text/MatchResult$Destructured': ofPatterns,
  'java/util/regex/Pattern': ofPatterns,
  'java/util/regex/Matcher': ofPatterns,
  'kotlin/text/Regex': ofPatterns,
  'java/lang/Iterable': ofCollection,
  'java/util/Arrays': ofArrays,
  'java/util/Map$Entry': ofEntry,
  'java/util/Objects': ofObjects,
  'java/util/Collections': ofArrays,
  'java/util/stream/Stream': ofStream,
  'java/util/stream/IntStream': ofStream,
  'java/util/stream/Collectors': ofCollectors,
  'java/util/StringJoiner': ofJoiner,
  'java/util/Base64': ofBase64,
  'java/util/Base64$Decoder': ofBase64,
  'android/util/Base64': ofBase64,
  'kotlin/io/encoding/Base64': ofBase64,
  'android/text/TextUtils': ofTextUtils,
  'kotlin/jvm/internal/Intrinsics': ofIntrinsics,
  'kotlin/text/StringsKt': ofKotlinStrings,
  'kotlin/text/CharsKt': ofKotlinStrings,
  'kotlin/collections/CollectionsKt': ofKotlinCollections,
  'kotlin/collections/ArraysKt': ofKotlinCollections,
  'kotlin/collections/SetsKt': ofKotlinCollections,
  'kotlin/sequences/SequencesKt': ofKotlinCollections,
  'kotlin/LazyKt': ofLazy,
  'kotlin/Lazy': ofLazy,
  'kotlin/TuplesKt': ofTuples,
  'kotlin/Pair': ofPlaces,
  'kotlin/Triple': ofPlaces,
  'kotlin/collections/IndexedValue': ofPlaces,
  'kotlin/ranges/RangesKt': ofRanges,
  'kotlin/internal/ProgressionUtilKt': ofRanges,
  'kotlin/comparisons/ComparisonsKt': ofComparisons,
  'kotlin/collections/MapsKt': ofTuples,
}

const collections =
  /^java\/util\/(?:(?:Array|Linked|Abstract)?List|Collection|Iterator|ListIterator|(?:Array)?Deque|Vector|Stack|(?:Priority)?Queue|(?:Linked)?(?:Hash|Tree)?Set)$/
const maps =
  /^java\/util\/(?:(?:Linked)?(?:Hash|Tree|Enum|Weak|Identity)?(?:Hash)?Map|AbstractMap|SortedMap|NavigableMap|Hashtable|Properties|concurrent\/ConcurrentHashMap)$/

const functions = /^java\/util\/function\/(?:Bi)?(?:Function|Consumer|UnaryOperator)$/
const ranges = /^kotlin\/ranges\/(?:Int|Char)(?:Range|Progression)$/
const unsigned = /^kotlin\/U(?:Byte|Int)(?:Array)?$/

/** Kotlin's facades have parts: `StringsKt__StringsJVMKt`. */
function readingOf(owner: string): Reading | undefined {
  if (owner.startsWith('System/')) return dotnetReadingOf(owner)
  const facade = owner.replace(/__.*|Kt___.*$/, (part) => (part.startsWith('Kt') ? 'Kt' : ''))
  const known = readings[facade]
  if (known !== undefined) return known
  if (collections.test(owner)) return ofCollection
  if (owner.startsWith('[')) return ofObject
  if (functions.test(owner)) return ofFunctions
  if (ranges.test(owner)) return ofRange
  if (unsigned.test(owner)) return ofUnsigned
  return maps.test(owner) ? ofMap : undefined
}

/** Says whether the library reads the methods of a class. */
export function isOfLibrary(owner: string): boolean {
  return readingOf(owner) !== undefined
}

/** Gives what a method of the platform returns for constants; `undefined` where that is not known. @throws OverEffort */
export function callLibrary(
  { owner, name, descriptor }: MemberRef,
  args: readonly Value[],
  host: Host,
): Value {
  pay(host.effort, stepsOfCall)
  const { parameters } = signatureOf(descriptor)
  return readingOf(owner)?.({ name, descriptor, types: parameters, args: args.map(settled), host })
}

const stepsOfCall = 8
