/** Every text of the line that follows a call. */
export const STATUS_TEXTS = {
  calling: 'Calling you…',
  ringing: 'Ringing…',
  talking: 'You are in the call.',
  ended: 'The call has ended.',
  noAnswer: 'Nobody answered.',
  busy: 'The line was busy.',
  voicemail: 'The call went to voicemail.',
  cut: 'The call was cut off. Please try again.',
  notPlaced: 'The call could not be placed. Please try again.',
  unknown: 'We are checking what became of the call.',
} as const
