/** Id of the empty element that the main screen keeps for the strip, below everything that the specification fixes. */
export const STRIP_ID = 'in-call'

/** Ids of the notices that the browser itself shows when a button is pressed before the page's code is there. */
export const EARLY_CALL_ME_ID = 'early-call-me'
export const EARLY_BROWSER_CALL_ID = 'early-browser-call'

/** Id of the 'Test in Browser' button: where the focus returns when the strip goes away under it. */
export const CALL_BUTTON_ID = 'browser-call'
