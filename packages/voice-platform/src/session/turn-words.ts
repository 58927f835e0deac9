/** Most characters of one turn, which lasts a minute at most: several times what the fastest speaker says. */
export const MOST_TURN_CHARACTERS = 5_000

/**
 * The words of a turn as they are used. A transcriber that says more than anybody can have said would have the model read all of it again with
 * each reply, and push the conversation out of its memory.
 */
export const turnWords = (words: string): string => words.slice(0, MOST_TURN_CHARACTERS)
