/** What a recognition makes out: one result a phrase, each with its likeliest words first. */
export type RecognitionResults = ArrayLike<{ readonly isFinal: boolean; readonly 0: { transcript: string } }>

/** The part of the Web Speech API's `SpeechRecognition` that is used here (https://webaudio.github.io/web-speech-api/). */
export interface Recognition {
  continuous: boolean
  interimResults: boolean
  lang: string
  onstart: (() => void) | null
  onresult: ((event: { resultIndex: number; results: RecognitionResults }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  /** Browsers that know no track hear the default microphone. Throws for a track that is over. */
  start(track: MediaStreamTrack): void
  abort(): void
}

declare const SpeechRecognition: (new () => Recognition) | undefined
/** Its name in Chromium and Safari. */
declare const webkitSpeechRecognition: (new () => Recognition) | undefined

/** The browser's own speech recognition; undefined where it has none, or refuses to make one. */
export function newRecognition(): Recognition | undefined {
  try {
    if (typeof SpeechRecognition !== 'undefined') return new SpeechRecognition()
    if (typeof webkitSpeechRecognition !== 'undefined') return new webkitSpeechRecognition()
  } catch (error) {
    console.warn('The browser refuses to recognise speech:', error)
  }
  return undefined
}
