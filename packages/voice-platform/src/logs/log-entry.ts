import type { Log } from '@heyline/platform-client'

export type LogKind = 'API' | 'Webhook' | 'Call'

/** Something that the platform was asked, or told others. No body, no header, no query and no address of a client is in it. */
export interface LogEntry {
  /** Milliseconds since the epoch: when it began. */
  at: number
  type: LogKind
  webhookType?: string
  resource?: string | undefined
  method?: string
  /** Of a message: the origin of the server that it was sent to. */
  path?: string | undefined
  status?: number | undefined
  seconds?: number
  error?: string | undefined
  callId?: string | undefined
  assistantId?: string | null | undefined
  phoneNumberId?: string | null | undefined
  squadId?: string | null | undefined
}

/** A row of `voice_platform.logs`, with the installation's org id. */
export interface LogRow {
  org_id: string
  created_at: Date
  type: LogKind
  webhook_type: string | null
  resource: string | null
  method: string | null
  path: string | null
  status: number | null
  duration_seconds: number | null
  error: string | null
  call_id: string | null
  assistant_id: string | null
  phone_number_id: string | null
  squad_id: string | null
}

export const LOG_COLUMNS = `(select org_id from voice_platform.settings) as org_id, created_at, type, webhook_type, resource, method, path,
  status, duration_seconds, error, call_id, assistant_id, phone_number_id, squad_id`

/** An entry as the REST API shows it. */
export function logView(row: LogRow): Log {
  const { duration_seconds: seconds, path, created_at: began } = row
  const shown: Partial<Record<keyof Log, unknown>> = {
    webhookType: row.webhook_type,
    resource: row.resource,
    requestDurationSeconds: seconds,
    requestStartedAt: began.toISOString(),
    requestFinishedAt: seconds === null ? null : new Date(began.getTime() + 1000 * seconds).toISOString(),
    requestHttpMethod: row.method,
    [row.type === 'Webhook' ? 'requestUrl' : 'requestPath']: path,
    responseHttpCode: row.status,
    error: row.error === null ? null : { message: row.error },
    assistantId: row.assistant_id,
    phoneNumberId: row.phone_number_id,
    squadId: row.squad_id,
    callId: row.call_id,
  }
  const known = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null))
  return { time: began.toISOString(), orgId: row.org_id, type: row.type, ...known }
}
