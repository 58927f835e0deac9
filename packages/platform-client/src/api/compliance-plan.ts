/** Rules that a call must keep. */
export interface CompliancePlan {
  /** Nothing of a call is stored: no log, recording or transcript. The report still goes to the server. Default false. */
  hipaaEnabled?: boolean
  /** Only providers that comply with PCI; no log and no transcript is stored. The report still goes to the server. Default false. */
  pciEnabled?: boolean
}
