const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether this text may be the id of a call: Postgres takes no other as a UUID. */
export const isCallId = (text: string): boolean => UUID.test(text)
