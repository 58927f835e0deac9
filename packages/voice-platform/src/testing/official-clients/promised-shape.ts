import ts from 'typescript'

/** What a value lacks to be what the type promises, a line each: `results.0.id: string expected`. */
export function faultsOf(checker: ts.TypeChecker, type: ts.Type, value: unknown, at = ''): string[] {
  const inside = (of: ts.Type, part: unknown, name: string) =>
    faultsOf(checker, of, part, at ? `${at}.${name}` : name)
  const faulty = (isRight: boolean) =>
    isRight ? [] : [`${at || 'the answer'}: ${checker.typeToString(type)} expected, not ${shown(value)}`]

  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return []
  if (type.isUnion()) {
    const each = type.types.map((one) => faultsOf(checker, one, value, at))
    return each.reduce((best, next) => (next.length < best.length ? next : best))
  }
  if (type.isIntersection()) return type.types.flatMap((one) => faultsOf(checker, one, value, at))
  const primitive = PRIMITIVES.find(([flag]) => type.flags & flag)
  if (type.isLiteral()) return faulty(value === type.value)
  if (type.flags & ts.TypeFlags.BooleanLiteral) return faulty(String(value) === checker.typeToString(type))
  if (primitive) return faulty(primitive[1](value))
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    if (!Array.isArray(value) || !item) return faulty(false)
    return value.flatMap((one, index) => inside(item, one, String(index)))
  }
  const properties = checker.getPropertiesOfType(type)
  if (properties.length === 0) return faulty(value !== null && value !== undefined)
  if (!(value instanceof Object)) return faulty(false)
  return properties.flatMap((property) => {
    const part: unknown = Reflect.get(value, property.name)
    const isOptional = Boolean(property.flags & ts.SymbolFlags.Optional)
    if (part === undefined && isOptional) return []
    return inside(checker.getTypeOfSymbol(property), part, property.name)
  })
}

const PRIMITIVES: readonly (readonly [ts.TypeFlags, (value: unknown) => boolean])[] = [
  [ts.TypeFlags.StringLike, (value) => typeof value === 'string'],
  [ts.TypeFlags.NumberLike, (value) => typeof value === 'number'],
  [ts.TypeFlags.BooleanLike, (value) => typeof value === 'boolean'],
  [ts.TypeFlags.Null, (value) => value === null],
  [ts.TypeFlags.VoidLike, (value) => value === undefined || value === null || value === ''],
]

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80)
