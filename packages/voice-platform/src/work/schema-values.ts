/** Deepest that a schema is followed. */
const MOST_DEPTH = 20

type Fields = Record<string, unknown>
/** The value of a property that is fixed by its schema (`value`). */
type FixedValue = (value: unknown) => unknown

/**
 * What of a value its JSON schema names: of an object its `properties`, and the rest only where the schema says that it has
 * `additionalProperties`, or says nothing of properties. The same of what lies within it, in lists, too. What is an object, a list or
 * neither where the schema says otherwise is left out: a server may take it for what it is not.
 */
export function namedValue(value: unknown, schema: unknown, depth = 0): unknown {
  if (!isObject(schema)) return value
  if (depth > MOST_DEPTH || !hasShape(value, schema)) return undefined
  if (Array.isArray(value))
    return value.map((item) => namedValue(item, schema.items, depth + 1)).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  const { properties, additionalProperties = properties === undefined } = schema
  const named = isObject(properties) ? properties : {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const kept = Object.hasOwn(named, name)
        ? namedValue(inner, named[name], depth + 1)
        : additionalProperties === false
          ? undefined
          : inner
      return kept === undefined ? [] : [[name, kept]]
    }),
  )
}

/** Whether a value is an object, a list or neither, as its schema says. Which of the others it is, the schema only guides. */
function hasShape(value: unknown, { type, properties, items }: Fields): boolean {
  const shapes = [type].flat().flatMap((each): string[] => {
    if (each === 'object' || each === 'array') return [each]
    if (typeof each === 'string') return ['plain']
    return isObject(properties) ? ['object'] : items === undefined ? [] : ['array']
  })
  const shape = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : 'plain'
  return shapes.length === 0 || value === null || shapes.includes(shape)
}

/** A JSON schema without the properties that have a fixed `value`, at any depth. */
export function withoutFixed(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > MOST_DEPTH) return schema
  const { properties, items } = schema
  return {
    ...schema,
    ...(items !== undefined && { items: withoutFixed(items, depth + 1) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, own]) =>
          isFixed(own) ? [] : [[name, withoutFixed(own, depth + 1)]],
        ),
      ),
    }),
  }
}

/** A value with each fixed property in its place, whatever stood there. An object that was not given is made where it has some. */
export function withFixed(value: unknown, schema: unknown, fixed: FixedValue, depth = 0): unknown {
  if (!isObject(schema) || depth > MOST_DEPTH) return value
  const { properties } = schema
  if (!isObject(properties))
    return Array.isArray(value) ? value.map((item) => withFixed(item, schema.items, fixed, depth + 1)) : value
  const given = isObject(value) ? value : {}
  const own = Object.entries(properties).flatMap(([name, inner]): [string, unknown][] => {
    const made = isFixed(inner)
      ? fixed(inner.value)
      : withFixed(Object.hasOwn(given, name) ? given[name] : undefined, inner, fixed, depth + 1)
    return made === undefined ? [] : [[name, made]]
  })
  // Nothing of it is fixed, so what was given stays what it is.
  if (own.length === 0 && !isObject(value)) return value
  return { ...given, ...Object.fromEntries(own) }
}

const isFixed = (schema: unknown): schema is Fields => isObject(schema) && schema.value !== undefined

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
