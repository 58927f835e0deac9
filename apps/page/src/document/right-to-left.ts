/** The blocks of the right-to-left scripts, Hebrew and Arabic first, with their presentation forms. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{1e800}-\u{1efff}]/u
