/** Where it is kept that single keys are off. */
const KEPT_OFF = 'heyline-keys-off'

/** What is open in front of a screen has its own keys. */
export const IN_FRONT = '[role=dialog], [role=menu], [role=listbox]'

/** Whether single keys do something in this browser. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(KEPT_OFF) === null

export function turnSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(KEPT_OFF)
  else localStorage.setItem(KEPT_OFF, 'yes')
}

/** Does something when a single key is pressed where nobody types, unless such keys are turned off. Returns how to end it. */
export function onSingleKey(key: string, press: () => void): () => void {
  const listener = (event: KeyboardEvent) => {
    const isOurs = event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isOurs || event.defaultPrevented || !areSingleKeysOn()) return
    if (event.target instanceof Element && event.target.closest(`input, textarea, select, ${IN_FRONT}`))
      return
    event.preventDefault()
    press()
  }
  document.addEventListener('keydown', listener)
  return () => document.removeEventListener('keydown', listener)
}
