export const STEP_UP_TEXTS = {
  title: 'Confirm it is you',
  intro:
    'This changes something that matters. Your second factor, or your password, is asked for once in ten minutes.',
  code: 'Six-digit code',
  codeMissing: 'Type the six digits that your authenticator app shows.',
  password: 'Password',
  passwordMissing: 'Type your password.',
  confirm: 'Confirm',
  cancel: 'Cancel',
} as const
