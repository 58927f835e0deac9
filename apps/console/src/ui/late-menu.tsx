import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'

/** The button of a menu, as it is before and after the menu's code has come. */
export type MenuButton = ReactElement<Record<string, unknown>>

/** A menu whose code comes when its button is pressed for the first time. `menu` draws it around the button. */
export function LateMenu({ button, menu }: { button: MenuButton; menu(button: MenuButton): ReactNode }) {
  const [isWanted, setWanted] = useState(false)
  const early = cloneElement(button, { 'aria-haspopup': 'menu', onClick: () => setWanted(true) })
  return isWanted ? <Suspense fallback={early}>{menu(button)}</Suspense> : early
}
