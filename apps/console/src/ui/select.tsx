import { Select as Base } from '@base-ui/react/select'
import { useId } from 'react'
import type { ChoiceProps } from './choice-props.js'
import { Icon } from './icon.js'

/** One of a list. `isBare` leaves the label to what reads aloud; `isReadOnly` shows the choice alone. */
export function Select<Value extends string>({
  label,
  options,
  value,
  choose,
  isBare = false,
  isReadOnly = false,
  hint,
}: ChoiceProps<Value> & { isBare?: boolean; isReadOnly?: boolean; hint?: string }) {
  const id = useId()
  return (
    <div className="labelled">
      <span className={isBare ? 'unseen' : 'label'} id={id}>
        {label}
      </span>
      <Base.Root
        items={options}
        value={value}
        disabled={isReadOnly}
        onValueChange={(chosen) => chosen !== null && choose(chosen)}
      >
        <Base.Trigger
          className="input select"
          aria-labelledby={id}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        >
          <Base.Value />
          <Icon name="down" />
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className="over" sideOffset={6} alignItemWithTrigger={false}>
            <Base.Popup className="popup">
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className="popup-item">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator className="popup-mark">
                    <Icon name="check" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
