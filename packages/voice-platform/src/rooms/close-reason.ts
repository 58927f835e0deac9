/** Bytes that a close frame has for its reason (RFC 6455, 5.5: 125 less two of the code). `ws` throws above it. */
export const MAX_CLOSE_REASON_BYTES = 123

/** A reason as a close frame can carry it: cut behind the last whole character that fits, counted in bytes of UTF-8. */
export function closeReason(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_CLOSE_REASON_BYTES))
  return text.slice(0, read)
}
