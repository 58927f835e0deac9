import ts from 'typescript'

/** What a value lacks to be what the type promises, a line each: `results.0.id: string expected`. */
export function faultsOf(checker: ts.TypeChecker, type: ts.Type, value: unknown, at = ''): string[] {
  const inside = (of: ts.Type, part: unknown, name: string) =>
    faultsOf(checker, of, part, at ? `${at}.${name}` : name)
  const faulty = (isRight: boolean) =>
    isRight ? [] : [`${at || 'the answer'}: ${checker.typeToString(type)} expected, not ${shown(value)}`]

  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return []
  if (type.isUnion()) return faultsOfAny(checker, type.types, value, at)
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
    if (OPEN_SETS.includes(property.name) && typeof part === 'string') return []
    return inside(checker.getTypeOfSymbol(property), part, property.name)
  })
}

/** What it lacks to be what one of the types promises: the one that is most like it. */
export function faultsOfAny(
  checker: ts.TypeChecker,
  types: readonly ts.Type[],
  value: unknown,
  at = '',
): string[] {
  const each = types.map((one) => ({
    faults: faultsOf(checker, one, value, at),
    likeness: likenessOf(checker, one, value),
  }))
  if (each.some(({ faults }) => faults.length === 0)) return []
  each.sort((one, other) => other.likeness - one.likeness || one.faults.length - other.faults.length)
  return each[0]?.faults ?? []
}

/** Names that a platform has more of than the types of a client know: whose engine, voice or files they are, and what was asked for. */
const OPEN_SETS = ['provider', 'resource']

const PRIMITIVES: readonly (readonly [ts.TypeFlags, (value: unknown) => boolean])[] = [
  [ts.TypeFlags.StringLike, (value) => typeof value === 'string'],
  [ts.TypeFlags.NumberLike, (value) => typeof value === 'number'],
  [ts.TypeFlags.BooleanLike, (value) => typeof value === 'boolean'],
  [ts.TypeFlags.Null, (value) => value === null],
  [ts.TypeFlags.VoidLike, (value) => value === undefined || value === null || value === ''],
]

/** How much of the value the type has names for: of a union, that is the member that was meant. */
const likenessOf = (checker: ts.TypeChecker, type: ts.Type, value: unknown): number =>
  value instanceof Object
    ? checker.getPropertiesOfType(type).filter(({ name }) => Reflect.get(value, name) !== undefined).length
    : 0

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80)
