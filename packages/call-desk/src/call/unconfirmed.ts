/** The platform's reason for the end of a call to us that nobody has confirmed. By SIP anybody makes up such calls. */
export const UNCONFIRMED = 'call.ringing.sip-inbound-caller-hungup-before-call-connect'
