/** Reads server-sent events piece by piece, as they were sent. */
export interface EventPieces {
  /** The next piece; undefined at the end. */
  next(): Promise<string | undefined>
  /** Everything up to the end. */
  rest(): Promise<string>
  /** Goes away. */
  leave(): Promise<void>
}

export function eventPieces(response: Response): EventPieces {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error(`There is no stream in an answer ${response.status}`)
  return {
    next: async () => (await reader.read()).value,
    async rest() {
      let text = ''
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value
      return text
    },
    leave: () => reader.cancel(),
  }
}

/** The event that tells a state. */
export const stateEvent = (state: string, outcome?: string): string =>
  `id: ${state}\nevent: state\ndata: ${JSON.stringify({ state, outcome })}\n\n`
