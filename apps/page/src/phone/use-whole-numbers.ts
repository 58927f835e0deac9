import type { MetadataJson } from 'libphonenumber-js/core'
import { type RefObject, useEffect } from 'react'
import { replacedAtOnce, wholeNumber } from './whole-number.js'

/**
 * A whole number pasted or autofilled in a phone field inside `box` replaces number and country. The field alone would
 * drop it: with a calling code that is not editable it takes national digits only. Native listeners in the capture
 * phase, because React's own come too late to keep the event from the field.
 */
export function useWholeNumbers(
  box: RefObject<HTMLElement | null>,
  metadata: MetadataJson,
  onNumber: (phone: string) => void,
): void {
  useEffect(() => {
    const element = box.current
    if (!element) return
    const take = (event: Event, text: string) => {
      const phone = isPhoneField(event.target) ? wholeNumber(text, metadata) : undefined
      if (phone === undefined) return
      event.preventDefault()
      event.stopPropagation()
      onNumber(phone)
    }
    const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData?.getData('text') ?? '')
    const onInput = (event: Event) => {
      const { target } = event
      if (isPhoneField(target) && replacedAtOnce(event as InputEvent)) take(event, target.value)
    }
    element.addEventListener('paste', onPaste, true)
    element.addEventListener('input', onInput, true)
    return () => {
      element.removeEventListener('paste', onPaste, true)
      element.removeEventListener('input', onInput, true)
    }
  }, [box, metadata, onNumber])
}

function isPhoneField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'tel'
}
