/** The line that is heard at this time of a recording: the last one that has begun. Undefined before the first. */
export function heardLine(lines: readonly { seconds: number | null }[], seconds: number): number | undefined {
  const place = lines.findLastIndex((line) => line.seconds !== null && line.seconds <= seconds)
  return place === -1 ? undefined : place
}
