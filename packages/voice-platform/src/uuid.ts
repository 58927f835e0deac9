const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether this text can be an id of the platform's, so that Postgres takes it as one. */
export const isUuid = (text: string): boolean => UUID.test(text)
