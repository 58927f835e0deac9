import { useId } from 'react'
import type { ChoiceProps } from './choice-props.js'

/** One of a few, all of them in sight. */
export function Choices<Value extends string>({ label, options, value, choose }: ChoiceProps<Value>) {
  const group = useId()
  return (
    <fieldset className="choices">
      <legend className="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            className="unseen"
            name={group}
            value={option.value}
            checked={option.value === value}
            onChange={() => choose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
