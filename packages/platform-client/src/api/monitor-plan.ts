/** Who may listen to and steer a running call, at the addresses in `call.monitor`. */
export interface MonitorPlan {
  /** Default true. */
  listenEnabled?: boolean
  /** `listenUrl` asks for a bearer header with the public key. Default false. */
  listenAuthenticationEnabled?: boolean
  /** Default true. */
  controlEnabled?: boolean
  /** `controlUrl` asks for a bearer header with the public key. Default false. */
  controlAuthenticationEnabled?: boolean
  /** Stored monitors that watch the calls. */
  monitorIds?: string[]
}
