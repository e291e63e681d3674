/** The parts of a JSON Schema that the page reads. */
interface Schema {
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** Schemas of one key: the value may match any of them. */
type Keys = ReadonlyMap<string, readonly Schema[]>

/** `docs/configuration.md`: every key of `twotoken.yaml`, by section, from its JSON Schema. */
export function renderConfigurationPage(schema: Schema): string {
  const sections = Object.entries(schema.properties ?? {})
  const isAlone = ([, section]: readonly [string, Schema]) => keysOf([section]).size === 0
  const alone: Keys = new Map(sections.filter(isAlone).map(([key, section]) => [key, [section]]))
  return [
    '# Configuration',
    '',
    'These are the keys of `twotoken.yaml`. `npx twotoken init` writes a commented file. An editor with JSON Schema completes it and',
    'shows the types and the whole descriptions (`twotoken/schema.json`). `npm run docs` writes this page from that schema.',
    '',
    `- A value may be \`\${NAME}\`: from the environment first, then from \`.env\` in the folder of the file. \`--env\` names another file,`,
    '  `--no-env-file` reads none, and `$${` is a literal `${`.',
    '- A credential may be `{ command: "…" }`, a program that prints it.',
    '- Paths are relative to the file. An unknown key is an error that names the nearest known one.',
    '- A missing part is not judged. A missing key makes the requirements that need it `untested`, with the reason.',
    '',
    ...table(alone),
    ...sections
      .filter((section) => !isAlone(section))
      .flatMap(([key, section]) => [
        `## ${key}`,
        '',
        ...(section.description === undefined ? [] : [`${section.description}.`, '']),
        ...table(keysOf([section])),
      ]),
  ].join('\n')
}

/** The alternatives of a value. */
function formsOf(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(formsOf)]
}

/** Keys inside a value: of an object, of the entries of a list as `[].key`, below a free name as `<name>.key`. */
function keysOf(schemas: readonly Schema[]): Keys {
  const found = schemas
    .flatMap(formsOf)
    .flatMap(({ properties, items, additionalProperties: free }) => [
      ...Object.entries(properties ?? {}),
      ...inside('[]', items),
      ...inside('<name>', typeof free === 'object' ? free : undefined),
    ])
  const byName = Map.groupBy(found, ([name]) => name)
  return new Map([...byName].map(([name, all]) => [name, all.map(([, schema]) => schema)]))
}

function inside(name: string, schema: Schema | undefined): [string, Schema][] {
  if (schema === undefined) return []
  return [...keysOf([schema])].flatMap(([key, all]) =>
    all.map((one): [string, Schema] => [`${name}.${key}`, one]),
  )
}

interface Shown {
  readonly key: string
  readonly meaning: string
}

/** A row for each key; an object that repeats an earlier one names it. */
function rowsOf(keys: Keys, prefix: string, shown: Map<string, Shown>): string[] {
  return [...keys].flatMap(([name, schemas]) => {
    const key = prefix === '' || name.startsWith('[') ? `${prefix}${name}` : `${prefix}.${name}`
    // Any credential may be a command.
    const inner = new Map([...keysOf(schemas)].filter(([own]) => !/(?:^|\.)command$/.test(own)))
    const mark = JSON.stringify([...inner])
    const before = inner.size > 0 ? shown.get(mark) : undefined
    const meaning = meaningOf(schemas)
    if (before === undefined) shown.set(mark, { key, meaning })
    const own = meaning === before?.meaning ? [] : [meaning]
    const cell = [...own, ...(before === undefined ? [] : [`keys as \`${before.key}\``])].join('; ')
    const row = `|\`${key}\`|${cell.replaceAll('|', '\\|')}|`
    return [row, ...(before === undefined ? rowsOf(inner, key, shown) : [])]
  })
}

function meaningOf(schemas: readonly Schema[]): string {
  const forms = schemas.flatMap(formsOf)
  const choices = forms.flatMap((form) => form.enum ?? (form.const === undefined ? [] : [form.const]))
  const preset = forms.find(({ default: value }) => value !== undefined && typeof value !== 'object')?.default
  const details = [
    ...new Set(choices.map((value) => `\`${String(value)}\``)),
    ...(preset === undefined || preset === false ? [] : [`default \`${String(preset)}\``]),
  ]
  // An editor shows the rest.
  const [text = ''] =
    forms.find(({ description }) => description !== undefined)?.description?.split(/[;:] /) ?? []
  return details.length === 0 ? text : `${text} (${details.join(', ')})`.trim()
}

function table(keys: Keys): string[] {
  return ['|key|meaning|', '|---|---|', ...rowsOf(keys, '', new Map()), '']
}
