/** Id of the empty element that the main screen keeps for the strip, below everything that the specification fixes. */
export const STRIP_ID = 'in-call'

/** Id of the 'Test in Browser' button: where the focus returns when the strip goes away under it. */
export const CALL_BUTTON_ID = 'browser-call'
