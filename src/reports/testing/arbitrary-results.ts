import fc, { type Arbitrary } from 'fast-check'
import type { z } from 'zod'
import { resultsSchema } from '../read-results.ts'
import type { RunResults } from '../results.ts'

/** Texts that a format, a parser or a page could take for something else, and ids that then refer to each other. */
const odd = [
  ...['', ' ', '\n', '\t\u0000\u001b[31m', '\ud800', 'a\udc00b', '\u202e', '\ufffe', '\u2028'],
  ...['<script>', ']]>', '-->', '</style>', '&#0;', '"\'`', '| a |', '```', '::error::', '%0A', '\\'],
  ...['__proto__', 'constructor', 'toString', '1', 'MINT-01', 'BACK-07', 'e1', 'e2', 'mint.odd'],
  'x'.repeat(20_000),
  '"'.repeat(2_000),
  'é\u0301🏳️‍🌈'.repeat(500),
]

/** Any sequence of code units: surrogates without their other half, too. */
const anyText = fc.oneof(
  { arbitrary: fc.constantFrom(...odd), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 20 }), weight: 1 },
  {
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
      .map((units) => String.fromCharCode(...units)),
    weight: 1,
  },
)
const anyNumber = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const anyTime = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())
const few = { maxLength: 3 }

/** A value of any shape that a schema admits. */
function arbitraryOf(schema: z.core.$ZodType): Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'datetime' ? anyTime : anyText
    case 'number':
      return anyNumber
    case 'unknown':
      return fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' })
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'array':
      return fc.array(arbitraryOf(def.element), few)
    case 'tuple':
      return fc.tuple(...def.items.map(arbitraryOf))
    case 'union':
      return fc.oneof(...def.options.map(arbitraryOf))
    case 'nullable':
      return fc.option(arbitraryOf(def.innerType))
    case 'readonly':
      return arbitraryOf(def.innerType)
    case 'record':
      return recordOf(def)
    case 'object':
      return objectOf(def.shape)
    default:
      throw new Error(`no value of a schema of the type ${def.type} can be made`)
  }
}

/** The keys of an enumeration are all there. */
function recordOf({ keyType, valueType }: z.core.$ZodRecordDef): Arbitrary<unknown> {
  const { def } = (keyType as z.core.$ZodTypes)._zod
  if (def.type !== 'enum') return fc.dictionary(anyText, arbitraryOf(valueType), { maxKeys: 3 })
  const keys = Object.values(def.entries).map(String)
  return fc.record(Object.fromEntries(keys.map((key) => [key, arbitraryOf(valueType)])))
}

function objectOf(shape: z.core.$ZodShape): Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const { def } = (schema as z.core.$ZodTypes)._zod
    return def.type === 'optional'
      ? { name, value: arbitraryOf(def.innerType), isRequired: false }
      : { name, value: arbitraryOf(schema), isRequired: true }
  })
  return fc.record(Object.fromEntries(fields.map(({ name, value }) => [name, value])), {
    requiredKeys: fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  })
}

/** Results of any run that a file can hold. */
export const anyResults = arbitraryOf(resultsSchema) as Arbitrary<RunResults>
