/** Deepest that a schema is followed. */
const MOST_DEPTH = 20

type Fields = Record<string, unknown>
/** The value of a property that is fixed by its schema (`value`). */
type FixedValue = (value: unknown) => unknown

/**
 * What of a value its JSON schema names: of an object its `properties`, and the rest only where the schema says that it has
 * `additionalProperties`, or says nothing of properties. The same of what lies within it, in lists, too. What is an object, a list or
 * neither where the schema says otherwise is left out: a server may take it for what it is not. What has a fixed `value` is nobody's to give.
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
      const own = Object.hasOwn(named, name) ? named[name] : undefined
      if (isFixed(own) || (own === undefined && additionalProperties === false)) return []
      const kept = namedValue(inner, own, depth + 1)
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
  if (Array.isArray(value) && isObject(schema.items))
    return value.map((item) => withFixed(item, schema.items, fixed, depth + 1))
  if (!isObject(properties)) return value
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

/** Where a JSON schema may lie, or several in a list or by names, that are followed by none of these. */
const UNFOLLOWED = {
  one: [
    'additionalProperties',
    'additionalItems',
    'unevaluatedProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
  ],
  list: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  named: ['patternProperties', 'dependentSchemas', '$defs', 'definitions'],
}

/** The path to a property with a fixed `value` where nothing would fill it in, as `lines.anyOf.price`; undefined where there is none. */
export function unfollowedFixed(schema: unknown, isFollowed = true, depth = 0): string | undefined {
  if (!isObject(schema)) return undefined
  if (isFixed(schema) && !isFollowed) return ''
  if (depth > MOST_DEPTH) return undefined
  for (const { name, within, goesOn } of partsOf(schema)) {
    const rest = unfollowedFixed(within, isFollowed && goesOn, depth + 1)
    if (rest !== undefined) return rest === '' ? name : `${name}.${rest}`
  }
  return undefined
}

/** The schemas that lie in a schema, and whether they are followed. */
function partsOf({ properties, items, ...others }: Fields) {
  return [
    ...Object.entries(isObject(properties) ? properties : {}).map(([name, within]) => ({
      name,
      within,
      goesOn: true,
    })),
    ...[items].flat().map((within) => ({ name: 'items', within, goesOn: !Array.isArray(items) })),
    ...UNFOLLOWED.one.map((name) => ({ name, within: others[name], goesOn: false })),
    ...[...UNFOLLOWED.list, ...UNFOLLOWED.named].flatMap((name) =>
      Object.values(Object(others[name])).map((within) => ({ name, within, goesOn: false })),
    ),
  ]
}

const isFixed = (schema: unknown): schema is Fields => isObject(schema) && schema.value !== undefined

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
