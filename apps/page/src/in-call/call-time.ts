/** Seconds as minutes and seconds: `0:07`, `12:34`, `75:00`. */
export function callTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
