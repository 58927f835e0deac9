/** What is shown and said by the element. Attributes replace the labels. */
export const TEXTS = {
  labels: { idle: 'Test in Browser', connecting: 'Connecting...', 'in-call': 'Stop Call' },
  /** For screen readers. */
  status: { idle: '', connecting: 'Connecting', 'in-call': 'The assistant is listening' },
  ended: 'The call is over',
  failed: 'The call could not be started. Please try again.',
  lost: 'The call was interrupted. Please try again.',
} as const
