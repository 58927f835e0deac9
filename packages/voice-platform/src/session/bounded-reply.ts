/** Most characters of a token: several times the average of any language. */
const CHARACTERS_A_TOKEN = 20

/**
 * A model's pieces of text, up to as many characters as its tokens can have. A server that heeds no limit of tokens would fill the call with
 * words, and the client with messages, whose making holds up all other calls.
 */
export async function* boundedReply(
  pieces: AsyncIterable<string>,
  maxTokens: number,
): AsyncGenerator<string> {
  let left = maxTokens * CHARACTERS_A_TOKEN
  for await (const piece of pieces) {
    yield piece.slice(0, left)
    left -= piece.length
    if (left <= 0) return
  }
}
