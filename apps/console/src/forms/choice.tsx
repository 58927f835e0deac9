/** One of a few, as radio buttons. */
export function Choice<Value extends string>({
  name,
  legend,
  options,
  value,
  choose,
}: {
  name: string
  legend: string
  options: readonly { value: Value; label: string }[]
  value: Value
  choose(value: NoInfer<Value>): void
}) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="tick">
          <input
            type="radio"
            name={name}
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
