/** The linear memory of a WebAssembly instance. */
export interface LinearMemory {
  /** Another buffer after the memory has grown. */
  readonly buffer: ArrayBuffer
}

/** Reads and writes what WASI calls pass by address. All numbers are little-endian. */
export class WasiMemory {
  #memory: LinearMemory = { buffer: new ArrayBuffer(0) }

  /** Once the instance, and so its memory, exists. */
  attach(memory: LinearMemory): void {
    this.#memory = memory
  }

  get #view(): DataView {
    return new DataView(this.#memory.buffer)
  }

  setUint8(at: number, value: number): void {
    this.#view.setUint8(at, value)
  }

  setUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, true)
  }

  setUint64(at: number, value: bigint): void {
    this.#view.setBigUint64(at, value, true)
  }

  setBytes(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, at)
  }

  /** The buffers that an array of (address, length) pairs names. */
  *buffers(at: number, count: number): Generator<Uint8Array> {
    const view = this.#view
    for (let index = 0; index < count; index += 1) {
      const address = view.getUint32(at + 8 * index, true)
      const length = view.getUint32(at + 8 * index + 4, true)
      yield new Uint8Array(this.#memory.buffer, address, length)
    }
  }
}
