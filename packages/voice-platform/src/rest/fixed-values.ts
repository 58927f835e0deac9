/** Schemas by the names of properties or of their own: such a name is no word of a schema. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** Words of a schema that hold values: `value` is the platform's own, the others are JSON Schema's. */
const WORDS_OF_VALUES: ReadonlySet<string> = new Set(['value', 'const', 'enum', 'default', 'examples'])

/** A tool without its fixed values, which may be keys: those of `parameters` that are a list, and of an `apiRequest` those in the schema of its `body`. */
export function withoutFixedValues(tool: object): object {
  const { type, parameters, body }: { type?: unknown; parameters?: unknown; body?: unknown } = tool
  const hasParameters = Array.isArray(parameters)
  const hasBody = type === 'apiRequest' && body !== undefined
  if (!hasParameters && !hasBody) return tool
  return {
    ...tool,
    ...(hasParameters && { parameters: parameters.map(withoutValue) }),
    ...(hasBody && { body: ofSchema(body) }),
  }
}

function withoutValue(given: unknown): unknown {
  if (!isObject(given)) return given
  const { value: _, ...shown } = given
  return shown
}

function ofSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(ofSchema)
  if (!isObject(schema)) return schema
  return mapped(withoutFixedWords(schema), (inner, word) =>
    NAMED.has(word) && isObject(inner) ? mapped(inner, ofSchema) : ofSchema(inner),
  )
}

/** A schema that leaves nothing to choose, without the words that say what it is; any other stays as it is, with its `default`. */
function withoutFixedWords(schema: Record<string, unknown>): Record<string, unknown> {
  const { value, const: only, enum: choices } = schema
  const isOne = Array.isArray(choices) && choices.length === 1
  if (value === undefined && only === undefined && !isOne) return schema
  return Object.fromEntries(Object.entries(schema).filter(([word]) => !WORDS_OF_VALUES.has(word)))
}

const mapped = (object: Record<string, unknown>, map: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
