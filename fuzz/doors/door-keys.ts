/** What the doors of a server open to. */
export interface DoorKeys {
  platformPublic: string
  platformPrivate: string
  hookSecret: string
  /** Of the backend and the operator's API. */
  secret: string
  assistantId: string
}
