import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'

/** Shows a name while what it names is hovered over, or has the focus. What reads aloud takes the name from the element itself. */
export function Tooltip({
  text,
  children,
}: {
  text: string
  children: ReactElement<Record<string, unknown>>
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="over" sideOffset={6}>
          <Base.Popup className="tooltip">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
