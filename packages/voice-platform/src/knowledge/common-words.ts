import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'

/** How long a word is taken for common, in milliseconds: files change. */
const COMMON_FOR_MS = 600_000
/** Of so many sets of files words are known, and so many words of each. */
const MOST_SETS = 100
const MOST_WORDS = 500

/** Words that very many passages of the same files had, when they were last looked for. */
export class CommonWords {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #sets = new RecentMap<string, RecentMap<string, number>>(MOST_SETS)

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** `files` names the set of files. */
  has(files: string, word: string): boolean {
    const since = this.#sets.get(files)?.get(word)
    return since !== undefined && this.#clock.monotonic() - since < COMMON_FOR_MS
  }

  add(files: string, words: readonly string[]): void {
    if (words.length === 0) return
    const known = this.#sets.get(files) ?? new RecentMap(MOST_WORDS)
    for (const word of words) known.set(word, this.#clock.monotonic())
    this.#sets.set(files, known)
  }
}
