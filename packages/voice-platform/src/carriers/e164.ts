/** A phone number with `+` and its country code. Two to 39 digits, as the hosted platform takes them. */
export const E164 = /^\+[1-9]\d{1,38}$/
