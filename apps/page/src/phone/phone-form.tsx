import { getCountryCallingCode } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'
import { type FormEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import PhoneInput from 'react-phone-number-input/core'
import { useStore } from '../state/use-store.js'
import type { CallForm } from './call-form.js'
import { callingCodeOf, isWithoutNumber, mainCountryOf, nationalDigits } from './calling-code.js'
import { COUNTRY_ORDER, countryLabels, DEFAULT_COUNTRY, LABEL_LOCALE } from './country-labels.js'
import { withKeptDigits } from './kept-digits.js'
import { PhoneField } from './phone-field.js'
import { FORM_TEXTS } from './texts.js'

const LABELS = countryLabels(metadata)
const FIELD = 'phone'
const FLAG_URL = `${import.meta.env.BASE_URL}flags/{XX}.svg`

interface PhoneFormProps {
  form: CallForm
  /** The element beside it that says what came of a submit. */
  messageId: string
  privacyUrl?: string | undefined
}

/** The 'Call Me' form (spec 2), and below it the link for privacy where there is one. A chunk of its own. */
export function PhoneForm({ form, messageId, privacyUrl }: PhoneFormProps) {
  const { phone, busy, message } = useStore(form)
  const box = useRef<HTMLFormElement>(null)
  const [country, setCountry] = useState(DEFAULT_COUNTRY)
  const entered = isWithoutNumber(phone, metadata) ? undefined : phone
  useLayoutEffect(() => focusField(box.current), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!entered) focusField(box.current)
    void form.submit(entered)
  }

  const chosen = useRef(country)
  const onCountry = (next = country) => {
    chosen.current = next
    setCountry(next)
  }
  /** The latest number with digits, while the chosen country has no use for them. */
  const kept = useRef<string>(undefined)
  const onPhone = (value?: string) => {
    const before = form.get().phone
    kept.current = before && !nationalDigits(before, metadata) ? kept.current : before
    form.type(withKeptDigits(kept.current, value, chosen.current, metadata))
  }

  const field = useMemo(
    () => ({
      selected: country,
      metadata,
      onNumber(number: string | undefined) {
        const code = number && callingCodeOf(number, metadata)
        if (code && code !== getCountryCallingCode(country, metadata))
          setCountry(mainCountryOf(code, metadata) ?? country)
        // The same number again is no change, and the field would go on showing it as it was typed in.
        if (number === form.get().phone) flushSync(() => form.type(undefined))
        form.type(number)
      },
    }),
    [form, country],
  )

  return (
    <>
      <form ref={box} className="phone-form" aria-label={FORM_TEXTS.form} noValidate onSubmit={submit}>
        <PhoneInput
          name={FIELD}
          metadata={metadata}
          labels={LABELS}
          locales={LABEL_LOCALE}
          international
          countryCallingCodeEditable={false}
          addInternationalOption={false}
          defaultCountry={country}
          onCountryChange={onCountry}
          countryOptionsOrder={COUNTRY_ORDER}
          focusInputOnCountrySelection={false}
          flagUrl={FLAG_URL}
          inputComponent={PhoneField}
          numberInputProps={{ field }}
          value={phone}
          onChange={onPhone}
          autoComplete="tel"
          aria-label={FORM_TEXTS.phone}
          aria-describedby={messageId}
          aria-invalid={message === 'phoneMissing'}
        />
        <button type="submit" className="button primary" aria-disabled={busy}>
          {busy ? FORM_TEXTS.initiatingCall : FORM_TEXTS.callNow}
        </button>
      </form>
      {privacyUrl && (
        <a href={privacyUrl} target="_blank" rel="noopener noreferrer">
          {FORM_TEXTS.privacy}
        </a>
      )}
    </>
  )
}

function focusField(form: HTMLFormElement | null): void {
  const field = form?.elements.namedItem(FIELD)
  if (field instanceof HTMLElement) field.focus()
}
