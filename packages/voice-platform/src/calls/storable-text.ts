/** The text as every database stores it: characters that Postgres refuses (NUL, half a surrogate pair) become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd')
}
