import { TEXTS } from '../document/texts.js'

/**
 * Stands behind a button that names it in `popoverTarget`. A press that comes before the page's code is seen by the browser alone, which
 * then shows this notice: the press has an effect at once, and can be known later. An alert is read out when it comes into sight. Where a
 * browser knows no popovers it stays hidden.
 */
export function EarlyNotice({ id }: { id: string }) {
  return (
    <p id={id} className="button early" role="alert" popover="manual">
      {TEXTS.loading}
    </p>
  )
}

/** Does what was asked for before the page's code was there; from now on the buttons answer by themselves. */
export function pressAgain(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[popovertarget]')) {
    const notice = document.getElementById(button.getAttribute('popovertarget') ?? '')
    button.removeAttribute('popovertarget')
    if (!notice?.offsetWidth) continue
    notice.hidePopover()
    button.click()
  }
}
