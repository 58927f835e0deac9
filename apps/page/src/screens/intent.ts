/** Handlers that run `warm` at the first sign that somebody is about to press. */
export function onIntent(warm: () => void) {
  return { onPointerEnter: warm, onPointerDown: warm, onFocus: warm }
}
