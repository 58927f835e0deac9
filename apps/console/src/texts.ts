/** Every text of the console. The title stands in `index.html` too. */
export const TEXTS = {
  title: 'Heyline console',

  signIn: 'Sign in',
  signInIntro: 'For the operators of this installation.',
  forgottenLink: 'Forgotten your password?',
  notices: {
    ended: 'Your session has ended. Sign in again.',
    'signed-out': 'You are signed out.',
    'set-up': 'You are the owner now. Sign in.',
    'own-password':
      'You are the owner now. This e-mail address had an account already, which keeps its password: sign in with that one.',
  },

  setUp: 'Set up',
  setUpIntro:
    'You make the first account of this installation: its owner. Choose an e-mail address and a password.',
  setUpButton: 'Create the owner',

  invite: 'Invitation',
  inviteIntro: 'You are invited to look after this installation of Heyline. Accept, and choose a password.',
  inviteButton: 'Accept the invitation',
  recovery: 'Reset your password',
  recoveryIntro: 'This link lets you choose a new password. It is good once.',
  recoveryButton: 'Go on',
  newPassword: 'Choose a password',
  newPasswordIntro:
    'Keep this page open until you have chosen it: the link that brought you here is used up.',
  newPasswordButton: 'Save the password',

  forgotten: 'Forgotten password',
  forgottenIntro: 'Type your e-mail address. If there is an account, a mail with a link is sent to it.',
  forgottenButton: 'Send the link',
  forgottenSent: (email: string) =>
    `If ${email} has an account here, a mail is on its way. It holds a link that is good once, for a day.`,
  forgottenNoMail:
    'If this server has no mail server (SMTP_URL), no mail comes. Then run this on the server, or ask somebody who can, and open the link that it prints:',
  resetCommand: 'npx heyline operators reset EMAIL',

  setUpNeeded:
    'Nobody looks after this installation yet. Open the setup link that the server printed when it started, or print a new one there:',
  setUpCommand: 'npx heyline operators setup',

  email: 'E-mail address',
  password: 'Password',
  currentPassword: 'Current password',
  newPasswordField: 'New password',
  passwordHint: 'At least 10 characters. A few words that do not belong together are good.',
  showPassword: 'Show the password',
  emailMissing: 'Type your e-mail address, such as ada@example.com.',
  passwordMissing: 'Type your password.',
  newPasswordMissing: 'Type a new password.',

  secondFactor: 'Second factor',
  whichFactor: 'Which one do you have at hand?',
  appIntro: (name: string) => `Open the authenticator app “${name}”, and type the six digits that it shows.`,
  phoneIntro: (name: string) => `Six digits will be sent to “${name}” by text message.`,
  sendCode: 'Send the code',
  sendAnother: 'Send another code',
  codeSent: 'The text message is sent. The code is good for five minutes.',
  code: 'Six-digit code',
  codeMissing: 'Type the six digits.',
  confirm: 'Confirm',
  useRecovery: 'Use a recovery code',
  useCode: 'Use a six-digit code',
  recoveryIntroCode:
    'Type one of the ten codes that you saved when you set up the second factor. Each is good once.',
  recoveryCode: 'Recovery code',
  recoveryMissing: 'Type a recovery code, such as 7k2m-x9qd-p3ta-0hv4.',
  noFactorLeft:
    'Neither factor nor recovery code at hand? Run this on the server, or ask somebody who can, and open the link that it prints:',

  noFactorThere: 'This account has no second factor any more. Cancel, and sign in again.',

  stepUp: 'Confirm that it is you',
  stepUpIntro: 'This needs a code or a password that was entered within the last ten minutes.',

  addFactor: 'Set up a second factor',
  addFactorNeeded:
    'This installation asks all operators for a second factor. You can go on once you have one.',
  addFactorIntro:
    'It protects your account when somebody has learnt your password: each sign-in then asks for a code too.',
  kind: 'Kind',
  kinds: { totp: 'Authenticator app', phone: 'Phone, by text message' },
  name: 'Name',
  nameHint: 'So that you recognise it later.',
  nameMissing: 'Give it a name, such as “My phone”.',
  defaultNames: { totp: 'Authenticator app', phone: 'Phone' },
  phone: 'Telephone number',
  phoneHint: 'With the country code: +44 20 7946 0101.',
  phoneMissing: 'Type your number with its country code, such as +44 20 7946 0101.',
  continue: 'Continue',
  cancel: 'Cancel',
  scan: 'Scan the picture with an authenticator app, or type the secret into it.',
  qrCode: 'QR code for the authenticator app',
  openApp: 'Open it in an app on this device',
  secret: 'Secret',
  firstCode: 'Then type the six digits that it shows.',
  phoneFirstCode: 'Type the six digits of the text message. They are good for five minutes.',
  finish: 'Turn it on',

  recoveryCodes: 'Recovery codes',
  recoveryCodesIntro:
    'Each of these codes signs you in once, in place of your second factor. They are shown only now: save them where you will find them without your phone.',
  copy: 'Copy',
  copied: 'Copied.',
  copyFailed: 'The browser does not let us copy. Select the text, and copy it yourself.',
  download: 'Download',
  downloadName: 'heyline-recovery-codes.txt',
  saved: 'I have saved them',

  notAnOperator: 'No operator',
  notAnOperatorText:
    'This account is no operator here. Ask an owner for an invitation to the e-mail address of this account.',
  unreached: 'This did not work',
  again: 'Try again',

  home: 'Your account',
  signedInAs: 'Signed in as',
  role: 'Role',
  roles: {
    owner: 'Owner: may do everything',
    editor: 'Editor: visitors, calls and the do-not-call list',
    viewer: 'Viewer: may look, with telephone numbers masked',
  },
  signOut: 'Sign out',
  loading: 'Loading…',

  factors: 'Second factors',
  noFactors: 'You have none. With one, your password alone opens nothing.',
  added: 'Added',
  add: 'Add a second factor',
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  removeSure: (name: string) =>
    `Sign-ins will not ask for “${name}” any more. Other sessions may have to sign in again.`,
  removeLast: 'It is your last one: the recovery codes end with it.',
  keep: 'Keep it',
  newCodes: 'New recovery codes',
  newCodesHint: 'The ones that you have end when you make new ones.',

  sessions: 'Sessions',
  thisSession: 'This session',
  unknownDevice: 'Unknown browser',
  lastUsed: 'Last used',
  endSession: 'End',
  endSessionNamed: (name: string) => `End the session of ${name}`,
  endOthers: 'End all other sessions',
  sessionEnded: 'The session has ended.',
  othersEnded: 'All other sessions have ended.',
  sessionsElsewhere: 'The sign-in service lists no sessions. You can end all but this one.',

  changePassword: 'Change the password',
  changePasswordHint: 'All your other sessions end.',
  passwordChanged: 'The new password is saved. All other sessions have ended.',

  unreachable: 'The server did not answer. Check your connection, and try again.',
  serverFailed: 'Something failed on the server, and was logged there. Try again in a moment.',
} as const

/** What is said of a refusal, by its code. `said` is the server's own sentence. */
export const FAILURE_TEXTS: Record<string, (said: string) => string> = {
  invalid_credentials: () =>
    'No account has this e-mail address and password. Check both, or choose a new password below.',
  email_not_confirmed: () => 'This account is not in use yet. Open the link of your invitation first.',
  user_banned: () => 'This account is blocked. Ask an owner.',
  otp_expired: () =>
    'This link is not good any more: it was used already, or it is older than a day. Ask an owner for a new one.',
  weak_password: (said) => `${said} Choose a longer one.`,
  same_password: () => 'This is the password that you have. Choose another one.',
  mfa_verification_failed: () =>
    'This code is wrong, or it was used already. Check it, or wait for the next one.',
  mfa_challenge_expired: () => 'This code is too old. Ask for another one.',
  mfa_ip_address_mismatch: () => 'Your network has changed meanwhile. Try again.',
  mfa_factor_not_found: () => 'This second factor is gone. Sign out, and sign in again.',
  mfa_factor_name_conflict: () => 'You have a second factor of this name. Choose another name.',
  mfa_verified_factor_exists: () => 'This number is a second factor of yours already. Type another one.',
  too_many_enrolled_mfa_factors: () => 'You have as many second factors as are possible. Remove one first.',
  mfa_phone_enroll_not_enabled: () => 'Text messages are turned off here. Choose an authenticator app.',
  mfa_phone_verify_not_enabled: () => 'Text messages are turned off here. Use another second factor.',
  over_sms_send_rate_limit: (said) => {
    const seconds = /(\d+) seconds?/.exec(said)?.[1]
    return seconds ? `Another text message can be sent in ${seconds} seconds. Wait until then.` : said
  },
  insufficient_aal: () => 'This needs your second factor. Sign out, and sign in with it.',
  unauthorized: () => 'Your session has ended. Sign in again.',
  wrong_password: () => 'This is not your current password. Type it again.',
  setup_done: () => 'There is an owner already. Sign in, or ask an owner for an invitation.',
  setup_running: () => 'This link is being used right now. Wait a minute, and try again.',
}
