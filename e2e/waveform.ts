/** What can be said of a sound by its levels, each of one block of the same length. */
export interface Waveform {
  /** Blocks in which something can be heard. */
  audible: number
  /** From the first of those to the last, in blocks. */
  span: number
  /** Mean level of those, 0 to 1. */
  level: number
  /** The longest silence between two of them, in blocks. */
  longestGap: number
}

export function waveformOf(levels: readonly number[], audibleFrom: number): Waveform {
  const loud = [...levels.entries()].filter(([, level]) => level > audibleFrom)
  const gaps = loud.map(([index], at) => index - (loud[at - 1]?.[0] ?? index) - 1)
  return {
    audible: loud.length,
    span: (loud.at(-1)?.[0] ?? 0) - (loud[0]?.[0] ?? 0),
    level: loud.reduce((sum, [, level]) => sum + level, 0) / Math.max(1, loud.length),
    longestGap: Math.max(0, ...gaps),
  }
}

/** Levels of PCM16 samples (root mean square, 0 to 1), block by block. */
export function levelsOf(samples: Int16Array, blockSamples: number): number[] {
  const levels: number[] = []
  for (let at = 0; at + blockSamples <= samples.length; at += blockSamples) {
    const block = samples.subarray(at, at + blockSamples)
    const power = block.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / block.length
    levels.push(Math.sqrt(power))
  }
  return levels
}
