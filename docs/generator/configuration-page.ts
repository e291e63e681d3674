/** The parts of a JSON Schema that the page reads. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Row {
  readonly key: string
  readonly schema: Schema
  /** No form of the object that it belongs to can be without it. */
  readonly isRequired: boolean
}

/** `docs/configuration.md`: every key of `twotoken.yaml`, by section, from its JSON Schema. */
export function renderConfigurationPage(schema: Schema): string {
  const sections = Object.entries(schema.properties ?? {})
  const alone = sections.filter(([, section]) => rowsOf('', section).length === 0)
  const groups = sections.filter(([, section]) => rowsOf('', section).length > 0)
  return [
    '# Configuration',
    '',
    'Everything that `twotoken.yaml` may say; `npm run docs` writes this page from the schema. `npx twotoken init` writes',
    'a commented file to start from, and editors that know JSON Schema complete and check it (`twotoken/schema.json`).',
    '',
    `Every value may be \`\${NAME}\`, from the environment or from \`.env\` beside the file (\`--env\` names another, \`--no-env-file\` none); the environment wins`,
    `(\`$\${\` is a literal \`\${\`). Every credential may be`,
    '`{ command: "…" }`, a program that prints it. Paths are relative to the file. An unknown key is an error that names',
    'the nearest known one. A part that is absent is not judged. What a part needs and the file lacks is `untested`, with the reason; a key that is required is one',
    'that its object cannot be without.',
    '',
    ...table(alone.map(([key, section]) => ({ key, schema: section, isRequired: false }))),
    ...groups.flatMap(([key, section]) => [
      `## ${key}`,
      '',
      ...(section.description === undefined ? [] : [`${section.description}.`, '']),
      ...table(rowsOf('', section)),
    ]),
  ].join('\n')
}

/** Keys in dotted form; a list's entries as `key[]`, a free name as `key.<name>`. */
function rowsOf(prefix: string, schema: Schema): Row[] {
  const forms = formsOf(schema)
  const objects = forms.filter(({ properties }) => properties !== undefined)
  const rows = forms.flatMap((form) => {
    const own = Object.entries(form.properties ?? {}).flatMap(([name, inner]) => {
      const key = prefix === '' ? name : `${prefix}.${name}`
      const isRequired = objects.every(({ required }) => required?.includes(name))
      return [{ key, schema: inner, isRequired }, ...rowsOf(key, inner)]
    })
    const items = form.items === undefined ? [] : rowsOf(`${prefix}[]`, form.items)
    const free = typeof form.additionalProperties === 'object' ? form.additionalProperties : undefined
    const named = free === undefined ? [] : rowsOf(`${prefix === '' ? '' : `${prefix}.`}<name>`, free)
    return [...own, ...items, ...named]
  })
  const first = new Map<string, Row>()
  for (const row of rows) {
    const before = first.get(row.key)
    const united = before === undefined ? row.schema : uniteSchemas(before.schema, row.schema)
    const isRequired = row.isRequired && before?.isRequired !== false
    first.set(row.key, { key: row.key, schema: united, isRequired })
  }
  return [...first.values()].filter(({ key }) => !/(^|\.)command$/.test(key) || prefix === '')
}

/** The alternatives of a value. */
function formsOf(schema: Schema): readonly Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  return alternatives === undefined ? [schema] : [schema, ...alternatives.flatMap(formsOf)]
}

/** One key of two alternatives: what either of them takes. */
function uniteSchemas(one: Schema, other: Schema): Schema {
  const { description = other.description, default: preset = other.default } = one
  return {
    anyOf: [one, other],
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
  }
}

function table(rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  const lines = rows.map(({ key, schema, isRequired }) => {
    const { description, default: preset } = schema
    const isPreset = preset !== undefined && !isEmpty(preset)
    const shown = isPreset ? `\`${JSON.stringify(preset)}\`` : isRequired ? 'required' : ''
    return `| \`${key}\` | ${typeOf(schema)} | ${shown} | ${cell(description ?? '')} |`
  })
  return ['| key | value | default | meaning |', '| --- | --- | --- | --- |', ...lines, '']
}

function typeOf(schema: Schema): string {
  const names = formsOf(schema)
    .filter(({ pattern }) => pattern === undefined || !pattern.includes('\\$\\{'))
    .flatMap((form): readonly string[] => {
      if (form.const !== undefined) return [`\`${String(form.const)}\``]
      if (form.enum !== undefined) return form.enum.map((value) => `\`${String(value)}\``)
      if (form.properties?.['command'] !== undefined && Object.keys(form.properties).length === 1)
        return ['credential']
      if (form.type === 'object') return ['object']
      return form.type === undefined ? [] : [form.type].flat()
    })
  const unique = [...new Set(names)]
  return (unique.includes('credential') ? unique.filter((name) => name !== 'string') : unique).join(', ')
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
