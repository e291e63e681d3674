import { z } from 'zod'
import { configurationSchema } from './configuration.ts'

/** The JSON Schema of `twotoken.yaml` for editors, which `npm run docs` writes to `schema/twotoken.schema.json`. */
export function configurationJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(configurationSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      // zod leaves a default out where the value may come as text.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue
      allowVariable(jsonSchema)
    },
  })
  return { title: 'twotoken.yaml', ...schema }
}

/** Whatever is not free text may also be `${NAME}`, which an editor sees as text. */
function allowVariable(json: z.core.JSONSchema.BaseSchema): void {
  const narrow =
    json.type === 'number' || json.type === 'integer' || json.type === 'boolean' || json.enum || json.pattern
  if (!narrow) return
  const { description, default: preset, ...strict } = json
  for (const key of Object.keys(json)) delete json[key]
  json.anyOf = [strict, { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' }]
  if (description !== undefined) json.description = description
  if (preset !== undefined) json.default = preset
}
