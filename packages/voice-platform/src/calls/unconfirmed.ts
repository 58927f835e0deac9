/** The platform's reason for the end of a call to us that nobody has confirmed. */
export const UNCONFIRMED = 'call.ringing.sip-inbound-caller-hungup-before-call-connect'
