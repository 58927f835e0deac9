/** The row that a key leads to from the row with `index`; undefined for other keys. */
export function rowAfter(key: string, index: number, count: number): number | undefined {
  const last = count - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, last)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'PageDown':
      return Math.min(index + PAGE_ROWS, last)
    case 'PageUp':
      return Math.max(index - PAGE_ROWS, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

const PAGE_ROWS = 10

/** The index of the row that an element stands in; undefined outside of the rows. */
export function rowOf(element: Element): number | undefined {
  const index = element.closest('tr[data-index]')?.getAttribute('data-index')
  return index == null ? undefined : Number(index)
}

/** Puts the focus on the same thing in another row: its checkbox, link or button. */
export function focusRow(frame: Element | null, index: number, kind: string): void {
  const row = frame?.querySelector(`tr[data-index="${index}"]`)
  const place = row?.querySelector<HTMLElement>(kind) ?? row?.querySelector<HTMLElement>('a, button, input')
  place?.focus({ preventScroll: true })
}
