import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { IconButton } from './button.js'
import { UI_TEXTS } from './texts.js'

/** A question that comes before everything else, as long as it is drawn. Escape and a press beside it close it; the focus goes back to where it was. */
export function Dialog({
  title,
  intro,
  close,
  width = 'narrow',
  children,
}: {
  title: string
  intro?: ReactNode
  close(): void
  width?: 'narrow' | 'wide'
  children: ReactNode
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="dialog" data-width={width}>
          <Base.Title className="dialog-title">{title}</Base.Title>
          {intro !== undefined && <Base.Description className="hint">{intro}</Base.Description>}
          {children}
          {/* The last, so that the focus begins with what the dialog is about. */}
          <div className="dialog-close">
            <IconButton name={UI_TEXTS.close} icon="close" onClick={close} />
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
