import { Select as Base } from '@base-ui/react/select'
import { useId } from 'react'
import type { ChoiceProps } from './choice-props.js'
import { Icon } from './icon.js'

/** One of a list. `isBare` leaves the label to what reads aloud. */
export function Select<Value extends string>({
  label,
  options,
  value,
  choose,
  isBare = false,
}: ChoiceProps<Value> & { isBare?: boolean }) {
  const id = useId()
  return (
    <div className="labelled">
      <span className={isBare ? 'unseen' : 'label'} id={id}>
        {label}
      </span>
      <Base.Root items={options} value={value} onValueChange={(chosen) => chosen !== null && choose(chosen)}>
        <Base.Trigger className="input select" aria-labelledby={id}>
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
    </div>
  )
}
