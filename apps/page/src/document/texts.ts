/**
 * Every text of the first load: shown, said to a screen reader, or put into the document's head (spec 2, 4, 5, 8). The
 * form's and the strip's are beside them, in chunks of their own.
 */
export const TEXTS = {
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
  phoneMissing: 'Please enter a valid phone number',
  callFailed: 'Failed to initiate call. Please try again.',
  callAccepted: "Great! You'll receive a call within the next 15 seconds.",
  /**
   * Said by the visually hidden status region when the browser call changes. That one could not be started is said
   * there only: no message is shown for it (spec 8), but who does not see the button would not learn of it.
   */
  callStatus: {
    idle: '',
    connecting: 'Connecting',
    'in-call': 'Call connected',
    ended: 'Call ended',
    failed: 'Call could not be started',
  },
  /** The tab's titles; the loading and not-found screens' are their TEXTS. */
  demoTitle: (name: string) => `Demo for ${name}`,
} as const

/** What a page that needs scripts says where they are off. Only the server says it. */
export const SCRIPTS_OFF = 'Please turn on JavaScript and reload this page.'

/** The document's DESCRIPTIONS, for search engines and link previews. Only the server says them. */
export const DESCRIPTIONS = {
  demo: (name: string) =>
    `${name}, try a voice assistant that answers customer calls, handles questions and guides customers: have it call you, or talk to it in your browser.`,
  /** The loading state's, for link previews. */
  loadingTitle: 'A voice assistant to try',
  loading:
    'A voice assistant that answers customer calls, handles questions and guides customers. Try it by phone or in your browser.',
  get notFound() {
    return TEXTS.notFoundText
  },
} as const
