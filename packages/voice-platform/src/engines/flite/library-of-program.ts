import {
  blockOf,
  constantOf,
  joined,
  moduleOf,
  nameOf,
  numberOf,
  sectionsOf,
  WasmReader,
  type WasmSection,
} from './wasm-binary.js'

const CUSTOM = 0
const TYPES = 1
const IMPORTS = 2
const FUNCTIONS = 3
const TABLES = 4
const EXPORTS = 7
const CODE = 10

/** In the `name` section: the names of functions. */
const FUNCTION_NAMES = 1
const FUNCTION = 0
const FUNCTION_TYPE = 0x60
const TABLE = 1

export interface LibraryPlan {
  /** Functions that are exported besides what is, by the names that the program's `name` section has. */
  exports: readonly string[]
  /**
   * Functions whose work is done by others, of the same types: those in the last places of the exported `table`, in the same order. What
   * they did themselves is exported, too, by their names.
   */
  replaced: readonly string[]
}

/**
 * A program in WebAssembly as a library: the same module, with more exports, functions that can be replaced, and without what only
 * debuggers read. Throws where the program isn't of the expected form.
 */
export function libraryOfProgram(program: Uint8Array, { exports, replaced }: LibraryPlan): Uint8Array {
  const sections = sectionsOf(program)
  const places = functionPlaces(sections)
  const placeOf = (name: string) => {
    const place = places.get(name)
    if (place === undefined) throw new Error(`The program has no function ${name}.`)
    return place
  }
  const imported = importedFunctions(sections)
  const own = ownTypes(sections)
  const shapes = parameterCounts(contentsOf(sections, TYPES))
  const { contents: table, least } = longerTable(contentsOf(sections, TABLES), replaced.length)
  const substitutes = replaced.map((name, n): Substitute => {
    const index = placeOf(name) - imported
    const type = own[index]
    const parameters = shapes[type ?? -1]
    if (type === undefined || parameters === undefined)
      throw new Error(`${name} is not the program’s own function.`)
    return { index, type, body: bodyThatCalls({ place: least + n, type, parameters }) }
  })
  const exported = new Map(exports.map((name) => [name, placeOf(name)]))
  for (const [n, name] of replaced.entries()) exported.set(name, imported + own.length + n)
  const changed = new Map<number, (contents: Uint8Array) => Uint8Array>([
    [FUNCTIONS, () => numbersOf([...own, ...substitutes.map(({ type }) => type)])],
    [TABLES, () => table],
    [EXPORTS, (contents) => moreExports(contents, exported)],
    [CODE, (contents) => withSubstitutes(contents, substitutes)],
  ])
  return moduleOf(
    sections
      .filter(({ id }) => id !== CUSTOM)
      .map(({ id, contents }) => ({ id, contents: changed.get(id)?.(contents) ?? contents })),
  )
}

/** What stands in the place of a function, which itself moves behind all others. */
interface Substitute {
  /** Among the program's own functions. */
  index: number
  type: number
  body: Uint8Array
}

function contentsOf(sections: readonly WasmSection[], wanted: number): Uint8Array {
  const section = sections.find(({ id }) => id === wanted)
  if (!section) throw new Error(`The program has no section ${wanted}.`)
  return section.contents
}

function functionPlaces(sections: readonly WasmSection[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const { id, contents } of sections) {
    const reader = new WasmReader(contents)
    if (id !== CUSTOM || reader.name() !== 'name') continue
    while (!reader.isAtEnd) {
      const kind = reader.byte()
      const names = new WasmReader(reader.block())
      if (kind !== FUNCTION_NAMES) continue
      for (let left = names.number(); left > 0; left -= 1) {
        const place = names.number()
        places.set(names.name(), place)
      }
    }
  }
  return places
}

/** How many there are. All imports of the program must be functions. */
function importedFunctions(sections: readonly WasmSection[]): number {
  const reader = new WasmReader(contentsOf(sections, IMPORTS))
  const count = reader.number()
  for (let left = count; left > 0; left -= 1) {
    reader.name()
    reader.name()
    if (reader.byte() !== FUNCTION) throw new Error('The program imports more than functions.')
    reader.number()
  }
  return count
}

/** The type of each function of the program's own. */
function ownTypes(sections: readonly WasmSection[]): number[] {
  const reader = new WasmReader(contentsOf(sections, FUNCTIONS))
  return Array.from({ length: reader.number() }, () => reader.number())
}

/** How many parameters the functions of each type have. */
function parameterCounts(contents: Uint8Array): number[] {
  const reader = new WasmReader(contents)
  return Array.from({ length: reader.number() }, () => {
    if (reader.byte() !== FUNCTION_TYPE) throw new Error('The program has types of more than functions.')
    const parameters = reader.block().length
    reader.block()
    return parameters
  })
}

const numbersOf = (numbers: readonly number[]): Uint8Array =>
  joined([numberOf(numbers.length), ...numbers.map(numberOf)])

/** The program's only table with more places, and how many it had. */
function longerTable(contents: Uint8Array, more: number): { contents: Uint8Array; least: number } {
  const reader = new WasmReader(contents)
  const [count, kind, hasMost, least] = [reader.number(), reader.byte(), reader.byte(), reader.number()]
  if (count !== 1) throw new Error('The program has not one table.')
  const limits = [least, ...(hasMost ? [reader.number()] : [])].map((limit) => numberOf(limit + more))
  return { contents: joined([Uint8Array.of(1, kind, hasMost), ...limits]), least }
}

function moreExports(contents: Uint8Array, functions: ReadonlyMap<string, number>): Uint8Array {
  const reader = new WasmReader(contents)
  const count = reader.number()
  const more = [...functions].map(([name, place]) =>
    joined([nameOf(name), Uint8Array.of(FUNCTION), numberOf(place)]),
  )
  const table = joined([nameOf('table'), Uint8Array.of(TABLE, 0)])
  return joined([numberOf(count + more.length + 1), reader.rest(), ...more, table])
}

function withSubstitutes(contents: Uint8Array, substitutes: readonly Substitute[]): Uint8Array {
  const reader = new WasmReader(contents)
  const bodies = Array.from({ length: reader.number() }, () => reader.block())
  for (const { index, body } of substitutes) {
    bodies.push(bodies[index] ?? body)
    bodies[index] = body
  }
  return joined([numberOf(bodies.length), ...bodies.map(blockOf)])
}

/** Passes its arguments on to the function in a place of the table. */
function bodyThatCalls(target: { place: number; type: number; parameters: number }): Uint8Array {
  const [localGet, constant, callIndirect, end] = [0x20, 0x41, 0x11, 0x0b]
  const passed = Array.from({ length: target.parameters }, (_, argument) => [localGet, argument]).flat()
  return joined([
    Uint8Array.of(0, ...passed, constant),
    constantOf(target.place),
    Uint8Array.of(callIndirect),
    numberOf(target.type),
    Uint8Array.of(0, end),
  ])
}
