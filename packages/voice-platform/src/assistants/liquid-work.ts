import { lengthAsJson } from './length-as-json.js'

/** Work that one filler does in loops, conditions and filters: characters that are looked at. A few milliseconds. */
const MOST_WORK = 500_000
/** Work of a step, however little it looks at. */
const STEP = 20
/** Longest text that the runtime finds in another without looking at the same characters again and again. */
const LONGEST_SOUGHT = 200

/** What is left to do for one filling of an assistant's texts: anybody may have written them. */
export class LiquidWork {
  #left = MOST_WORK

  /** Pays for a step that looks at so many characters. False where that is more than is left: then it is not done, and neither is what follows. */
  pay(characters: number): boolean {
    this.#left -= STEP + characters
    return this.#left > 0
  }

  /** Pays for a step that looks at these values; `times` over. To measure them is work, too, so nothing is measured once nothing is left. */
  payFor(values: readonly unknown[], times = 1): boolean {
    if (this.#left <= 0) return false
    return this.pay(times * values.reduce<number>((sum, value) => sum + sizeOf(value), 0))
  }

  /** Pays for looking for a text in another one, or for an item in a list. */
  payForSearch(value: unknown, sought: unknown): boolean {
    if (!this.payFor([value, sought])) return false
    if (typeof value !== 'string') return true
    const length = sizeOf(sought)
    return length <= LONGEST_SOUGHT || this.pay(value.length * length)
  }
}

/** How much there is to look at. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? lengthAsJson(value) : 0
}
