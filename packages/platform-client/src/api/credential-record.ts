/** What every credential takes: a name, and whatever else its provider knows. */
export interface CredentialSettings {
  /** 1–40 characters. */
  name?: string
  [setting: string]: unknown
}

/** What every stored credential has. Secrets are not given back, beside where a type says so. */
export interface CredentialRecord extends CredentialSettings {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}
