/** The most of a body that comes with the public key or a public token: a page's has some fifteen values. */
export const PUBLIC_BODY = { bytes: 64_000, values: 500 }
/** Most tokens of a reply that a page asks for (spec 7.5). */
export const MOST_PUBLIC_TOKENS = 250
/** Most characters of the prompt that a page sends: some five thousand tokens. The model reads it again with each reply. */
export const MOST_PUBLIC_PROMPT = 20_000
/** Most characters of `metadata` and of `variableValues`, each written as JSON. */
export const MOST_PUBLIC_JSON = 4_000
