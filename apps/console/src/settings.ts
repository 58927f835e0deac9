/** What the server writes into the document: switches, never a secret. */
export interface ConsoleSettings {
  /** Texts can be sent, so a phone can be a second factor. */
  phoneFactors: boolean
  /** The accounts list sessions and make recovery codes, which are additions of ours. */
  additions: boolean
  /** Longest prompt with which both kinds of call begin, in characters. */
  longestPrompt: number
}

/** The settings of a document. Throws where the document was not written by our server. */
export function settingsOf(document: Document): ConsoleSettings {
  const settings: ConsoleSettings | null = JSON.parse(
    document.getElementById('console-settings')?.textContent ?? 'null',
  )
  if (!settings)
    throw new Error('The page has no settings: open the console at /-/console/ of a running server.')
  return settings
}
