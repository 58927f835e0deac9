/** The budget of log lines about refused clients: anybody can knock at a room, or open a stream, that there is not. */
export const REFUSALS_TOLD = { perSecond: 1 / 3, atOnce: 20 }
