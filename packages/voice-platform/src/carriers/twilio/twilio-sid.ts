/** Twilio's ids: two letters and 32 hexadecimal digits. One goes into a path, the database and the log, so other text is none. */
export const SID = /^[A-Za-z0-9]{1,64}$/
