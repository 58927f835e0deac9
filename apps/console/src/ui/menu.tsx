import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import type { ChoiceProps } from './choice-props.js'
import { Icon, type IconName } from './icon.js'

/** A list of things to do, or of places to go to, behind the button `opens`. `isOpenAtOnce`: it was pressed before this was there. */
export function Menu({
  opens,
  side = 'bottom',
  isOpenAtOnce = false,
  children,
}: {
  opens: ReactElement<Record<string, unknown>>
  side?: 'top' | 'bottom'
  isOpenAtOnce?: boolean
  children: ReactNode
}) {
  return (
    <Base.Root defaultOpen={isOpenAtOnce}>
      <Base.Trigger render={opens} />
      <Base.Portal>
        <Base.Positioner className="over" side={side} align="end" sideOffset={6} collisionPadding={8}>
          <Base.Popup className="popup">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  icon,
  isDangerous = false,
  press,
  children,
}: {
  icon?: IconName
  isDangerous?: boolean
  press(): void
  children: ReactNode
}) {
  return (
    <Base.Item className="popup-item" data-danger={isDangerous || undefined} onClick={press}>
      {icon && <Icon name={icon} />}
      {children}
    </Base.Item>
  )
}

/** One of a few, inside a menu, which stays open. */
export function MenuChoice<Value extends string>({ label, options, value, choose }: ChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="popup-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(chosen: Value) => choose(chosen)}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className="popup-item">
            {option.label}
            <Base.RadioItemIndicator className="popup-mark">
              <Icon name="check" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuLine() {
  return <Base.Separator className="popup-line" />
}
