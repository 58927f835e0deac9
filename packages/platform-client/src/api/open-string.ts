/** A set of strings that the platform may add to: the known ones complete in an editor, every other string is accepted. */
export type OpenString<Known extends string> = Known | (string & Record<never, never>)
