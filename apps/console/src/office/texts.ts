export const OFFICE_TEXTS = {
  notLoaded: 'This could not be loaded',
  unreachable: 'The server did not answer. Check your connection, and try again.',
  again: 'Try again',
} as const
