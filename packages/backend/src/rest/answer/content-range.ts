/** `Content-Range`: the first and last row of the answer and the number of all, `*` for what is not there or not known. */
export function contentRange(offset: number, returned: number, total: number | null): string {
  const rows = returned > 0 && total !== 0 ? `${offset}-${offset + returned - 1}` : '*'
  return `${rows}/${total ?? '*'}`
}
