/** A section of a WebAssembly module. */
export interface WasmSection {
  id: number
  contents: Uint8Array
}

/** Reads the binary format of WebAssembly (https://www.w3.org/TR/wasm-core-2/#binary-format). */
export class WasmReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new Error('The WebAssembly module ends too early.')
    this.#at += 1
    return byte
  }

  /** An unsigned number of up to 32 bits, in LEB128. */
  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }

  take(length: number): Uint8Array {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** What stands behind its own length. */
  block(): Uint8Array {
    return this.take(this.number())
  }

  name(): string {
    return new TextDecoder().decode(this.block())
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at)
  }
}

const HEADER_BYTES = 8

export function sectionsOf(module: Uint8Array): WasmSection[] {
  const reader = new WasmReader(module, HEADER_BYTES)
  const sections: WasmSection[] = []
  while (!reader.isAtEnd) sections.push({ id: reader.byte(), contents: reader.block() })
  return sections
}

export const moduleOf = (sections: readonly WasmSection[]): Uint8Array =>
  joined([
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
    ...sections.flatMap(({ id, contents }) => [Uint8Array.of(id), blockOf(contents)]),
  ])

/** An unsigned number in LEB128. */
export function numberOf(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.of(...bytes, rest)
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** A signed number in LEB128, as instructions have it. */
export function constantOf(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7) {
    if (rest >= -0x40 && rest < 0x40) return Uint8Array.of(...bytes, rest & 0x7f)
    bytes.push((rest & 0x7f) | 0x80)
  }
}

export const blockOf = (contents: Uint8Array): Uint8Array => joined([numberOf(contents.length), contents])

export const nameOf = (name: string): Uint8Array => blockOf(new TextEncoder().encode(name))

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
