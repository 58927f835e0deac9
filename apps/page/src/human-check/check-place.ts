import { STRIP_ID } from '../in-call/places.js'

/** A new empty place under the form, for what a check may have to ask. Whoever asks for it takes it away again. */
export function checkPlace(): HTMLElement {
  const place = document.createElement('div')
  document.getElementById(STRIP_ID)?.before(place)
  return place
}
