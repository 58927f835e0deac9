import type { OpenString } from './open-string.js'
import type { PageQuery } from './page.js'

export type LogType = OpenString<'API' | 'Webhook' | 'Call' | 'Provider'>

/** One entry of the organisation's log: a request to the platform, or from it. */
export interface Log {
  /** When it was written. */
  time: string
  orgId: string
  type: LogType
  /** Entries of type `Webhook`: the type of the message. */
  webhookType?: string
  /** Entries of type `API`: the resource that was asked for. */
  resource?: OpenString<
    | 'org'
    | 'assistant'
    | 'analytics'
    | 'credential'
    | 'phone-number'
    | 'block'
    | 'voice-library'
    | 'provider'
    | 'tool'
    | 'token'
    | 'template'
    | 'squad'
    | 'call'
    | 'file'
    | 'metric'
    | 'log'
  >
  /** Seconds, at least 0. */
  requestDurationSeconds?: number
  requestStartedAt?: string
  requestFinishedAt?: string
  requestBody?: Record<string, unknown>
  requestHttpMethod?: OpenString<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>
  requestUrl?: string
  requestPath?: string
  requestQuery?: string
  requestIpAddress?: string
  requestOrigin?: string
  requestHeaders?: Record<string, unknown>
  responseHttpCode?: number
  responseBody?: Record<string, unknown>
  error?: { message: string }
  assistantId?: string
  phoneNumberId?: string
  customerId?: string
  squadId?: string
  callId?: string
}

/** What entries can be chosen by. */
interface LogFilter {
  type?: LogType
  assistantId?: string
  phoneNumberId?: string
  customerId?: string
  squadId?: string
  callId?: string
}

/** Query of `logs.list` and `logs.pages`. */
export interface ListLogs extends LogFilter, PageQuery {
  /** With type `Webhook`: the type of the message. */
  webhookType?: string
}

/** Query of `logs.delete`. */
export type DeleteLogs = LogFilter

/** One line of a call's log. */
export interface CallLog {
  callId: string
  orgId: string
  log: string
  level: OpenString<'INFO' | 'LOG' | 'WARN' | 'ERROR' | 'CHECKPOINT'>
  /** ISO 8601. */
  time: string
}

/** Query of `callLogs.list` and `callLogs.pages`. */
export interface ListCallLogs extends PageQuery {
  callId: string
}

/** Query of `callLogs.delete`. */
export interface DeleteCallLogs {
  callId: string
}
