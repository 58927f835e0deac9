/** Two pulses, and a pause after each, in milliseconds. */
const PULSES = [700, 300, 700]
const CYCLE_MS = 3_000

/** Vibrates until the answer is called, where the device can. Browsers let no page do so that nobody has touched yet. */
export function startVibrating(): () => void {
  const vibrate = () => {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(PULSES)
  }
  vibrate()
  const timer = setInterval(vibrate, CYCLE_MS)
  return () => {
    clearInterval(timer)
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0)
  }
}
