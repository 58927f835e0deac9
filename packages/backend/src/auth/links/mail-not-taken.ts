/** A mail was certainly not taken by a mail server. Any other error leaves open whether it was. */
export class MailNotTaken extends Error {
  override readonly name = 'MailNotTaken'
}
