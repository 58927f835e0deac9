/**
 * The blocks of the right-to-left scripts, Hebrew and Arabic first, with their presentation forms, and the invisible
 * characters that turn the direction of what follows them.
 */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{1e800}-\u{1efff}]/u
