/** Schemas by the names of properties or of their own: such a name is no word of a schema. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

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
  const { value: _, ...shown } = schema
  return mapped(shown, (inner, word) =>
    NAMED.has(word) && isObject(inner) ? mapped(inner, ofSchema) : ofSchema(inner),
  )
}

const mapped = (object: Record<string, unknown>, map: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
