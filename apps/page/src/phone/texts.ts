/** Every text of the form; kept apart from the page's, which the first load carries. */
export const FORM_TEXTS = {
  privacy: 'Privacy',
  callNow: 'Call Now',
  initiatingCall: 'Initiating Call...',
  /** Names of what has no visible label. */
  form: 'Have the assistant call you',
  phone: 'Phone number',
  country: 'Country',
} as const
