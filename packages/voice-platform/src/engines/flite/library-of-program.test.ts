import { describe, expect, it } from 'vitest'
import { libraryOfProgram } from './library-of-program.js'
import { joined, moduleOf, nameOf, numberOf } from './wasm-binary.js'

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, never> }
}

const I32 = 0x7f

/** A program with one import, `sum` of five numbers (a plain 7 here), and `twice`, which calls it with 1 to 5 and doubles. Only `main` is exported. */
function program({ named = true } = {}): Uint8Array {
  const section = (id: number, ...parts: Uint8Array[]) => ({ id, contents: joined(parts) })
  const functionNames = joined([
    numberOf(3),
    ...['asked', 'sum', 'twice'].flatMap((name, place) => [numberOf(place), nameOf(name)]),
  ])
  const fiveToOne = Uint8Array.of(0x60, 5, I32, I32, I32, I32, I32, 1, I32)
  return moduleOf([
    section(1, numberOf(2), fiveToOne, Uint8Array.of(0x60, 0, 1, I32)),
    section(2, numberOf(1), nameOf('host'), nameOf('asked'), Uint8Array.of(0, 1)),
    section(3, Uint8Array.of(2, 0, 1)),
    section(4, Uint8Array.of(1, 0x70, 1, 3, 3)),
    section(7, numberOf(1), nameOf('main'), Uint8Array.of(0, 2)),
    section(
      10,
      Uint8Array.of(2, 4, 0, 0x41, 7, 0x0b),
      Uint8Array.of(17, 0, 0x41, 1, 0x41, 2, 0x41, 3, 0x41, 4, 0x41, 5, 0x10, 1, 0x41, 2, 0x6c, 0x0b),
    ),
    ...(named
      ? [section(0, nameOf('name'), Uint8Array.of(1), numberOf(functionNames.length), functionNames)]
      : []),
  ])
}

/** Adds its five numbers. */
const adder = () =>
  Object(
    start(
      moduleOf([
        { id: 1, contents: Uint8Array.of(1, 0x60, 5, I32, I32, I32, I32, I32, 1, I32) },
        { id: 3, contents: Uint8Array.of(1, 0) },
        { id: 7, contents: joined([numberOf(1), nameOf('add'), Uint8Array.of(0, 0)]) },
        {
          id: 10,
          contents: Uint8Array.of(
            ...[1, 16, 0, 0x20, 0, 0x20, 1, 0x6a, 0x20, 2, 0x6a, 0x20, 3, 0x6a, 0x20, 4, 0x6a, 0x0b],
          ),
        },
      ]),
    ),
  )

const PLAN = { exports: ['twice'], replaced: ['sum'] }
const start = (bytes: Uint8Array) =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { asked: () => 0 } }).exports

describe('libraryOfProgram', () => {
  it('exports functions by their names, besides what is exported', () => {
    expect(Object.keys(start(libraryOfProgram(program(), PLAN))).sort()).toEqual([
      'main',
      'sum',
      'table',
      'twice',
    ])
  })

  it('lets another function do the work of one, wherever that is called', () => {
    expect(Number(Object(start(program())).main())).toBe(14)
    const library = Object(start(libraryOfProgram(program(), PLAN)))
    library.table.set(3, adder().add)
    expect(library.main()).toBe(30)
    expect(library.sum(1, 2, 3, 4, 5)).toBe(7)
  })

  it('lets several functions be replaced, each of its own type', () => {
    const library = Object(start(libraryOfProgram(program(), { exports: [], replaced: ['twice', 'sum'] })))
    library.table.set(3, library.twice)
    library.table.set(4, adder().add)
    expect(library.main()).toBe(30)
  })

  it('refuses a program without such a function', () => {
    expect(() => libraryOfProgram(program(), { exports: ['none'], replaced: [] })).toThrow('no function none')
    expect(() => libraryOfProgram(program({ named: false }), PLAN)).toThrow('no function')
  })
})
