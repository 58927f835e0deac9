/** So long a press of the pointer may be meant for what was in front before, in ms: the second click of a double-click, and somebody's surprise. */
const SURPRISE_MS = 1_000

let cameAt = Number.NEGATIVE_INFINITY
const come = () => {
  cameAt = performance.now()
}
addEventListener('focus', come)
addEventListener('pageshow', ({ persisted }) => persisted && come())
document.addEventListener('visibilitychange', come)

/**
 * Whether a press of the pointer may be meant for something else, as this window has only just come to the front. A page of another site can open a small
 * window over this one, ask for a double-click, and close that window at the first of the two. Keys are pressed on purpose.
 */
export const isOfSurprise = ({ detail }: Pick<UIEvent, 'detail'>): boolean =>
  detail > 0 && performance.now() - cameAt < SURPRISE_MS
