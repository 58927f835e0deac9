import type { OpenString } from './open-string.js'
import type { Server } from './server.js'
import type { Subscription } from './subscription.js'

/** Body of `orgs.create`. */
export interface CreateOrg {
  /** At most 40 characters. */
  name?: string
  /** Keeps no logs, recordings and transcripts, and allows only compliant models and voices. Default false. */
  hipaaEnabled?: boolean
  subscriptionId?: string
  /** The cluster that serves the organisation. */
  channel?: 'default' | 'weekly'
  /** US dollars a month, 0–1000. */
  billingLimit?: number
  /** Gets the messages for which neither the assistant nor the phone number has a server. */
  server?: Server
  /**
   * Calls at a time, 1–10.
   * @deprecated The subscription has the limit.
   */
  concurrencyLimit?: number
  /** Rules for every call of the organisation. */
  compliancePlan?: CompliancePlan
}

/** Body of `orgs.update`. */
export type UpdateOrg = CreateOrg

/** A stored organisation. */
export interface Org extends CreateOrg {
  id: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  subscription?: Subscription
  stripeCustomerId?: string
  stripeSubscriptionId?: string
  stripeSubscriptionItemId?: string
  /** ISO 8601. */
  stripeSubscriptionCurrentPeriodStart?: string
  stripeSubscriptionStatus?: string
  plan?: {
    includedProviders?: Record<string, unknown>[]
    /** Minutes. */
    includedMinutes?: number
    /** Price of a minute beyond those. */
    costPerOverageMinute?: number
  }
  /** The secret that signs the organisation's JWTs: never give it to a browser. */
  jwtSecret?: string
  /** Minutes of all calls so far. */
  minutesUsed?: number
}

export type OrgRole = OpenString<'admin' | 'editor' | 'viewer'>

/** Body of `orgs.inviteUsers`. */
export interface InviteUsers {
  /** At most 100 addresses. */
  emails: string[]
  role: OrgRole
  /** Where the invitation leads. */
  redirectTo?: string
}

/** Body of `orgs.updateUserRole`. */
export interface UpdateUserRole {
  userId: string
  role: OrgRole
}

/** Answer of `orgs.getAuth`. */
export interface OrgAuth {
  /** A JWT: a secret. */
  accessToken: string
  /** Whom the JWT is for. */
  aud: Record<string, unknown>
}

/** A member of an organisation. */
export interface User {
  id: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  email: string
  fullName?: string
}

/** Rules that a call must keep. */
export interface CompliancePlan {
  /** Nothing of a call is stored: no log, recording or transcript. The report still goes to the server. Default false. */
  hipaaEnabled?: boolean
  /** Only providers that comply with PCI; no log and no transcript is stored. The report still goes to the server. Default false. */
  pciEnabled?: boolean
}
