const UNSTORABLE = /\0|\p{Surrogate}/gu

/** Whether Postgres can store this text: it has neither a NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.search(UNSTORABLE) === -1

/** The text without what Postgres cannot store. */
export const storable = (text: string): string => text.replace(UNSTORABLE, '')
