import type { CredentialRecord, CredentialSettings } from './credential-record.js'

interface TwilioAccount {
  provider: 'twilio'
  accountSid: string
}

/** With the account's token, or with a key and its secret. */
export interface CreateTwilioCredential extends CredentialSettings, TwilioAccount {
  authToken?: string
  apiKey?: string
  apiSecret?: string
}

export interface TwilioCredential extends CredentialRecord, TwilioAccount {}

interface VonageAccount {
  provider: 'vonage'
  apiKey: string
}

export interface CreateVonageCredential extends CredentialSettings, VonageAccount {
  apiSecret: string
}

export interface VonageCredential extends CredentialRecord, VonageAccount {
  /** The application that the platform made at Vonage; at most 10,000 characters. */
  vonageApplicationId: string
}

/** One way into a SIP trunk. */
export interface SipTrunkGateway {
  /** An IPv4 address or a host name. */
  ip: string
  /** 1–65,535. Default 5060. */
  port?: number
  /** Bits of the netmask, 24–32. Default 32. Outbound calls go to `ip` alone. */
  netmask?: number
  /** Default true. */
  inboundEnabled?: boolean
  /** Default true. */
  outboundEnabled?: boolean
  /** Signalling of outbound calls. Default `udp`. */
  outboundProtocol?: 'tls/srtp' | 'tcp' | 'tls' | 'udp'
  /** Pings the gateway; with no gateway within reach outbound calls are refused. Default false. */
  optionsPingEnabled?: boolean
}

/** How the platform makes itself known to a trunk. */
export interface SipTrunkAuthenticationPlan {
  authUsername?: string
  /** Not given back. */
  authPassword?: string
  /** Not set: no SIP registration. */
  sipRegisterPlan?: { domain?: string; username?: string; realm?: string }
}

/** A SIP trunk of one's own, or of a carrier. */
interface SipTrunk {
  provider: 'byo-sip-trunk'
  gateways: SipTrunkGateway[]
  outboundAuthenticationPlan?: SipTrunkAuthenticationPlan
  /** Writes numbers with their plus; Twilio and Vonage need it. Default false. */
  outboundLeadingPlusEnabled?: boolean
  /** At most 10,000 characters. */
  techPrefix?: string
  /** The diversion header that vouches for the calling number; at most 10,000 characters. */
  sipDiversionHeader?: string
  /** A session border controller of one's own. */
  sbcConfiguration?: Record<string, unknown>
}

export interface CreateSipTrunkCredential extends CredentialSettings, SipTrunk {}

export interface SipTrunkCredential extends CredentialRecord, SipTrunk {}
