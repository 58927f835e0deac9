export const STEP_UP_TEXTS = {
  title: 'Confirm it is you',
  intro:
    'This changes something that matters. Your second factor, or your password, is asked for once in ten minutes.',
  which: 'Second factor',
  kinds: { totp: 'Authenticator app', phone: 'Phone, by text message' },
  code: 'Six-digit code',
  appHint: 'Your authenticator app shows it.',
  phoneHint: 'It comes by text message, and is good for five minutes.',
  codeMissing: 'Type the six digits.',
  sendCode: 'Send the code',
  sendAnother: 'Send another code',
  codeSent: 'The text message is sent.',
  password: 'Password',
  passwordMissing: 'Type your password.',
  confirm: 'Confirm',
  cancel: 'Cancel',
} as const
