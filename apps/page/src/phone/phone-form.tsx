import metadata from 'libphonenumber-js/min/metadata'
import { type FormEvent, useCallback, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import PhoneInput from 'react-phone-number-input/core'
import type { CallForm } from '../call-form.js'
import { COUNTRY_ORDER, DEFAULT_COUNTRY } from '../country-order.js'
import { texts } from '../texts.js'
import { useStore } from '../use-store.js'
import { isWithoutNumber } from './calling-code.js'
import { countryLabels, LABEL_LOCALE } from './country-labels.js'
import { useWholeNumbers } from './use-whole-numbers.js'

const LABELS = countryLabels(metadata)
const FIELD = 'phone'
const FLAG_URL = `${import.meta.env.BASE_URL}flags/{XX}.svg`

/** The 'Call Me' form (spec 2). `messageId` is the element beside it that says what came of a submit. A chunk of its own. */
export function PhoneForm({ form, messageId }: { form: CallForm; messageId: string }) {
  const { phone, busy, message } = useStore(form)
  const box = useRef<HTMLFormElement>(null)
  const onPhone = useCallback((value?: string) => form.type(value), [form])
  const onWholeNumber = useCallback(
    (value: string) => {
      // The same number again is no change, and the field would go on showing it as it was typed in.
      if (value === form.get().phone) flushSync(() => form.type(undefined))
      form.type(value)
    },
    [form],
  )
  useWholeNumbers(box, metadata, onWholeNumber)
  useLayoutEffect(() => focusField(box.current), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const entered = isWithoutNumber(phone, metadata) ? undefined : phone
    if (!entered) focusField(box.current)
    void form.submit(entered)
  }

  return (
    <form ref={box} className="phone-form" aria-label={texts.callMeForm} noValidate onSubmit={submit}>
      <PhoneInput
        name={FIELD}
        metadata={metadata}
        labels={LABELS}
        locales={LABEL_LOCALE}
        international
        countryCallingCodeEditable={false}
        defaultCountry={DEFAULT_COUNTRY}
        countryOptionsOrder={COUNTRY_ORDER}
        limitMaxLength
        focusInputOnCountrySelection={false}
        flagUrl={FLAG_URL}
        value={phone}
        onChange={onPhone}
        autoComplete="tel"
        aria-label={texts.phoneLabel}
        aria-describedby={messageId}
        aria-invalid={message === 'phoneMissing'}
      />
      <button type="submit" className="button primary" aria-disabled={busy}>
        {busy ? texts.initiatingCall : texts.callNow}
      </button>
    </form>
  )
}

function focusField(form: HTMLFormElement | null): void {
  const field = form?.elements.namedItem(FIELD)
  if (field instanceof HTMLElement) field.focus()
}
