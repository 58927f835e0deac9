/** A scale from 0 for amounts in whole units: where its lines are, and its end. */
export interface Scale {
  /** Rising, from 0 to `end`. */
  lines: readonly number[]
  end: number
}

/** Steps between lines, as people count: 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10]
const LINES_AT_MOST = 5

/** The scale on which `highest` has room: up to six lines, evenly apart. Nothing at all gets one step of `least`. */
export function scaleTo(highest: number, least = 1): Scale {
  const rough = Math.max(highest, least) / LINES_AT_MOST
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (STEPS.find((one) => one * power >= rough) ?? 10)
  const count = Math.max(1, Math.ceil(highest / step))
  return { lines: Array.from({ length: count + 1 }, (_, index) => index * step), end: count * step }
}
