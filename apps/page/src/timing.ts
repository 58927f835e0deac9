/** How long the page waits for the webhook before it says that the call failed. The fades' 2 s and 3 s are in `styles/fade.css`. */
export const WEBHOOK_TIMEOUT_MS = 15_000

/** How long one read of the visitors may take before it has failed. */
export const READ_TIMEOUT_MS = 10_000

/** When the quiet work starts in a browser without `requestIdleCallback`. */
export const IDLE_FALLBACK_MS = 1_500
