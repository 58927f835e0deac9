import { type CountryCode, getCountryCallingCode, type MetadataJson } from 'libphonenumber-js/core'
import {
  type ChangeEvent,
  type ComponentProps,
  type CompositionEvent,
  type KeyboardEvent,
  type SyntheticEvent,
  useState,
} from 'react'
import { callingCodeOf, MAX_DIGITS, nationalDigits } from './calling-code.js'
import { internationalDigits, replacedAtOnce, wholeNumber } from './whole-number.js'
import { withWholePrefix } from './whole-prefix.js'

/** What the form gives the field besides what the phone input gives it. */
export interface PhoneFieldProps {
  selected: CountryCode
  metadata: MetadataJson
  /** A number of its own country replaces number and country; undefined when one has only begun. */
  onNumber(phone: string | undefined): void
}

/**
 * The input inside the phone input, which takes national digits only. Before it sees a text, this field looks for a
 * number that names its own country: pasted, dropped, filled in at once, or typed. While one is typed and its calling
 * code cannot be told yet, the field shows it as it is, behind the calling code (`+1 +4`).
 */
export function PhoneField({
  field: { selected, metadata, onNumber },
  value,
  onChange,
  onKeyDown,
  ...rest
}: Omit<ComponentProps<'input'>, 'value'> & { value: string; field: PhoneFieldProps }) {
  const [begun, setBegun] = useState<{ text: string; over: string }>()
  const prefix = `+${getCountryCallingCode(selected, metadata)}`
  // Whatever changes the number from elsewhere ends what was begun over it.
  const beginning = begun?.over === value ? begun?.text : undefined
  const shown = beginning ?? value

  const take = (phone: string | undefined, event?: SyntheticEvent) => {
    if (!phone) return false
    event?.preventDefault()
    setBegun(undefined)
    onNumber(phone)
    return true
  }
  const onWhole = (data: DataTransfer, event: SyntheticEvent) =>
    take(wholeNumber(data.getData('text'), selected, metadata), event)

  const onText = (event: ChangeEvent<HTMLInputElement> | CompositionEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    const native: Partial<InputEvent> = event.nativeEvent
    // A new text would end the composition; it is read once it is over.
    if (native.isComposing) return setBegun({ text: input.value, over: value })

    const deleted = native.inputType?.startsWith('delete')
    if (deleted || native.data != null) {
      const edit = {
        before: shown,
        after: input.value,
        caret: input.selectionStart ?? 0,
        typed: native.data ?? '',
      }
      const { text, caret } = withWholePrefix(edit, prefix)
      if (text !== input.value) {
        input.value = text
        input.setSelectionRange(caret, caret)
      }
    }
    const text = input.value
    const national = text.startsWith(prefix) ? text.slice(prefix.length).trim() : text
    const digits = internationalDigits(national, selected, metadata)
    if (digits !== undefined) {
      const phone = `+${digits}`
      if (callingCodeOf(phone, metadata) && nationalDigits(phone, metadata).length <= MAX_DIGITS)
        return take(wholeNumber(national, selected, metadata) ?? phone)
      onNumber(undefined)
      return setBegun({ text: `${prefix} ${national}`, over: prefix })
    }
    if (replacedAtOnce(native) && take(wholeNumber(text, selected, metadata))) return
    setBegun(undefined)
    if (national.replace(/\P{Nd}/gu, '').length <= MAX_DIGITS)
      onChange?.(event as ChangeEvent<HTMLInputElement>)
  }

  /** The phone input deletes by itself, and would take the number along when the calling code is touched. */
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    const start = selectionStart ?? 0
    const atStart = start === selectionEnd && !/\d/.test(shown.slice(prefix.length, start))
    if (beginning !== undefined || start < prefix.length || (atStart && event.key === 'Backspace')) return
    onKeyDown?.(event)
  }

  return (
    <input
      {...rest}
      value={shown}
      onChange={onText}
      onKeyDown={onKey}
      onCompositionEnd={onText}
      onPaste={(event) => onWhole(event.clipboardData, event)}
      onDrop={(event) => onWhole(event.dataTransfer, event)}
    />
  )
}
