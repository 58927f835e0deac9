/** Every text the page can show, say to a screen reader, or put into the document's head (spec 2, 4, 5, 8). */
export const texts = {
  loading: 'Loading...',
  notFoundHeading: 'Page Not Found',
  notFoundText: 'The requested page does not exist.',
  notFoundLink: 'Go back to main page',
  greeting: (name: string) => `Hey ${name},`,
  pitch: 'This is a tool that answers customer calls, handles questions and guides customers.',
  choice: "Choose how you'd like to try it:",
  callMe: 'Call Me',
  testInBrowser: 'Test in Browser',
  connecting: 'Connecting...',
  stopCall: 'Stop Call',
  website: 'Website',
  callNow: 'Call Now',
  initiatingCall: 'Initiating Call...',
  phoneMissing: 'Please enter a valid phone number',
  callFailed: 'Failed to initiate call. Please try again.',
  callAccepted: "Great! You'll receive a call within the next 15 seconds.",
  /** Names of controls that have no visible label. */
  phoneLabel: 'Phone number',
  countryLabel: 'Country',
  callMeForm: 'Have the assistant call you',
  /** Said by the visually hidden status region when the browser call changes. */
  callStatus: { connecting: 'Connecting', connected: 'Call connected', ended: 'Call ended' },
  /** The tab's titles; the loading and not-found screens' are their texts. */
  demoTitle: (name: string) => `Demo for ${name}`,
} as const

/** The document's descriptions, for search engines and link previews. Only the server says them. */
export const descriptions = {
  demo: (name: string) =>
    `${name}, try a voice assistant that answers customer calls, handles questions and guides customers: have it call you, or talk to it in your browser.`,
  loading:
    'A voice assistant that answers customer calls, handles questions and guides customers. Try it by phone or in your browser.',
  notFound: texts.notFoundText,
} as const
