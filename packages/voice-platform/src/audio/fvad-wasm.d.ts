/** The part of the WebRTC voice activity detector (libfvad, compiled to WebAssembly) that is used here; it ships no types. */
declare module '@echogarden/fvad-wasm' {
  interface Fvad {
    /** The module's memory; another view after it has grown. */
    readonly HEAP16: Int16Array
    _malloc(bytes: number): number
    _free(pointer: number): void
    /** A detector's handle; 0 when memory is out. */
    _fvad_new(): number
    _fvad_free(handle: number): void
    /** 0 (lets most through) to 3. Returns -1 when refused. */
    _fvad_set_mode(handle: number, mode: number): number
    _fvad_set_sample_rate(handle: number, rate: number): number
    /** 1 for speech, 0 for none, -1 for a frame of a wrong length. */
    _fvad_process(handle: number, samples: number, length: number): number
  }

  export default function load(): Promise<Fvad>
}
