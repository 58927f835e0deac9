const SHOWN = 20

/** Prints the files that took longest. @param {{ file: string, ms: number }[]} files */
export function printSlowest(files) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)
  console.log(`\nThe ${slowest.length} slowest of ${files.length} files`)
  for (const { file, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
}
