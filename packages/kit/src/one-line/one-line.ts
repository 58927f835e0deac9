/** What breaks a line, cannot be seen, or turns the direction of the text behind it. The tables refuse it in a visitor's name, too. */
const NOT_IN_ONE_LINE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u

/** Whether a name can stand in a list or a log: one line of text, with no control character and no mark that turns its direction. */
export const isOneLine = (text: string): boolean => !NOT_IN_ONE_LINE.test(text)
