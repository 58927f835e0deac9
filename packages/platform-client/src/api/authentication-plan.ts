/** Gets a token by OAuth 2 client credentials (RFC 6749) and sends it. */
export interface OAuth2Plan {
  type: 'oauth2'
  /** Address of the token endpoint. */
  url: string
  clientId: string
  clientSecret: string
  /** At most 1000 characters. */
  scope?: string
}

/** Signs each message with a shared key. */
export interface HmacPlan {
  type: 'hmac'
  secretKey: string
  algorithm: 'sha256' | 'sha512' | 'sha1'
  /** Header of the signature. Default `x-signature`. */
  signatureHeader?: string
  /** Header of the time. Default `x-timestamp`. */
  timestampHeader?: string
  /** Before the signature: `sha256=`. */
  signaturePrefix?: string
  /** Signs the time along. Default true. */
  includeTimestamp?: boolean
  /** What is signed, of `{body}`, `{timestamp}`, `{method}`, `{url}` and `{svix-id}`. Default `{timestamp}.{body}`. */
  payloadFormat?: string
  /** Header of the message's unique id, for receivers in Svix's manner. */
  messageIdHeader?: string
  /** Default `hex`. */
  signatureEncoding?: 'hex' | 'base64'
  /** `secretKey` is Base64 and is decoded first. Default false. */
  secretIsBase64?: boolean
}

/** Sends a fixed token. */
export interface BearerPlan {
  type: 'bearer'
  token: string
  /** Default `Authorization`. */
  headerName?: string
  /** Writes `Bearer ` before the token. Default true. */
  bearerPrefixEnabled?: boolean
}

/** What the platform got by OAuth 2. Its tokens are secrets. */
export interface OAuth2Session {
  accessToken?: string
  /** ISO 8601. */
  expiresAt?: string
  refreshToken?: string
}
