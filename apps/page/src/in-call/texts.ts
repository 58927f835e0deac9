/** Every text of the strip; kept apart from the page's, which the first load carries. */
export const STRIP_TEXTS = {
  strip: 'Call in progress',
  timer: 'Call duration',
  /** The button reads the first; its whole name is for those who do not see the icon. */
  mute: 'Mute',
  muteWhat: ' microphone',
  muted: 'Microphone off',
  reconnecting: 'Reconnecting…',
  transcript: 'Transcript',
  nothingYet: 'What is said in the call appears here.',
  speakers: { assistant: 'Assistant', user: 'You' },
} as const
