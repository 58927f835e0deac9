/** No database stores a NUL, or half of a surrogate pair. */
export const unstorable = /\0|\p{Surrogate}/u
