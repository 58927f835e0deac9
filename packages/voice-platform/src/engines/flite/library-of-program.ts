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
const IMPORTS = 2
const FUNCTIONS = 3
const TABLES = 4
const EXPORTS = 7
const CODE = 10

/** In the `name` section: the names of functions. */
const FUNCTION_NAMES = 1
const FUNCTION = 0
const TABLE = 1

export interface LibraryPlan {
  /** Functions that are exported besides what is, by the names that the program's `name` section has. */
  exports: readonly string[]
  /** A function whose work is done by another one, of the same type: the one in the last place of the exported `table`. */
  replaced: string
}

/**
 * A program in WebAssembly as a library: the same module, with more exports, one function that can be replaced, and without what only
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
  const type = typeOf(sections, placeOf(replaced) - imported)
  const { contents: table, last } = longerTable(contentsOf(sections, TABLES))
  const changed = new Map<number, (contents: Uint8Array) => Uint8Array>([
    [TABLES, () => table],
    [EXPORTS, (contents) => moreExports(contents, new Map(exports.map((name) => [name, placeOf(name)])))],
    [CODE, (contents) => withBody(contents, placeOf(replaced) - imported, bodyThatCalls(last, type))],
  ])
  return moduleOf(
    sections
      .filter(({ id }) => id !== CUSTOM)
      .map(({ id, contents }) => ({ id, contents: changed.get(id)?.(contents) ?? contents })),
  )
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

function typeOf(sections: readonly WasmSection[], own: number): number {
  const reader = new WasmReader(contentsOf(sections, FUNCTIONS))
  const types = Array.from({ length: reader.number() }, () => reader.number())
  const type = types[own]
  if (type === undefined) throw new Error('The function to replace is not the program’s own.')
  return type
}

/** The program's only table with one more place. */
function longerTable(contents: Uint8Array): { contents: Uint8Array; last: number } {
  const reader = new WasmReader(contents)
  const [count, kind, hasMost, least] = [reader.number(), reader.byte(), reader.byte(), reader.number()]
  if (count !== 1) throw new Error('The program has not one table.')
  const limits = hasMost ? [numberOf(least + 1), numberOf(reader.number() + 1)] : [numberOf(least + 1)]
  return { contents: joined([Uint8Array.of(1, kind, hasMost), ...limits]), last: least }
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

function withBody(contents: Uint8Array, own: number, body: Uint8Array): Uint8Array {
  const reader = new WasmReader(contents)
  const bodies = Array.from({ length: reader.number() }, () => reader.block())
  bodies[own] = body
  return joined([numberOf(bodies.length), ...bodies.map(blockOf)])
}

/** Passes five arguments on. */
function bodyThatCalls(place: number, type: number): Uint8Array {
  const [localGet, constant, callIndirect, end] = [0x20, 0x41, 0x11, 0x0b]
  const passed = [0, 1, 2, 3, 4].flatMap((argument) => [localGet, argument])
  return joined([
    Uint8Array.of(0, ...passed, constant),
    constantOf(place),
    Uint8Array.of(callIndirect),
    numberOf(type),
    Uint8Array.of(0, end),
  ])
}
