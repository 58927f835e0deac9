import type { Notice } from './notice.js'

/**
 * Says what was done, in a corner, to eyes and to what reads aloud. It waits while it is hovered over or has the focus (F6 leads there).
 *
 * @example
 * toast({ text: 'Riverside Dental was removed.', undo: () => office.visitors.add(removed) })
 */
export function toast(notice: Notice): void {
  void import('./toast-list.js').then(({ show }) => show(notice))
}
