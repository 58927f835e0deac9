import type { JsonSchema } from './json-schema.js'
import type { OpenString } from './open-string.js'
import type { ListQuery } from './page.js'
import type { BackoffPlan } from './server.js'
import type { PlainTool, ServedToolSettings, ToolSettings } from './tool-settings.js'
import type { TransferDestination } from './transfer-destination.js'

/** Asks the developer's server. */
export interface CreateFunctionTool extends ServedToolSettings {
  type: 'function'
  /** The assistant goes on without waiting for the result. Default false. */
  async?: boolean
}

/** Sends an HTTP request to any address. */
export interface CreateApiRequestTool extends ToolSettings {
  type: 'apiRequest'
  method: OpenString<'POST' | 'GET'>
  url: string
  /** What the model sees; letters, digits, `_` and `-`, at most 40 characters. */
  name?: string
  /** By which the model decides when to call it; at most 1000 characters. */
  description?: string
  /** Seconds to wait for the answer, 1–300. Default 20. */
  timeoutSeconds?: number
  body?: JsonSchema
  headers?: JsonSchema
  /** Not set: the request is sent once. */
  backoffPlan?: BackoffPlan
  /** Which parts of the answer become variables. */
  variableExtractionPlan?: {
    schema?: JsonSchema
    aliases?: { key: string; value: string }[]
    [setting: string]: unknown
  }
}

/** Transfers the call. */
export interface CreateTransferCallTool extends ToolSettings {
  type: 'transferCall'
  /** Without any, the server is asked at the time of the transfer. */
  destinations?: TransferDestination[]
}

/** Presses keys of the phone. */
export type CreateDtmfTool = PlainTool<'dtmf'>

/** Ends the call. */
export type CreateEndCallTool = PlainTool<'endCall'>

/** Collects the model's output in the form of the function's parameters. */
export type CreateOutputTool = PlainTool<'output'>

/** Sends a text message over Twilio. */
export type CreateSmsTool = PlainTool<'sms'>

/** A body of knowledge that a query tool looks into. */
export interface ToolKnowledgeBase {
  name: string
  provider: OpenString<'google'>
  model?: OpenString<'gemini-2.5-pro' | 'gemini-2.5-flash' | 'gemini-2.0-flash' | 'gemini-1.5-flash'>
  /** By which the model decides whether to look into it. */
  description: string
  fileIds: string[]
}

/** Looks something up in files. */
export interface CreateQueryTool extends ToolSettings {
  type: 'query'
  knowledgeBases?: ToolKnowledgeBase[]
}

/** Brings the tools of an MCP server, which is at `server`. */
export interface CreateMcpTool extends ServedToolSettings {
  type: 'mcp'
  metadata?: {
    /** Default `shttp`, streamable HTTP. */
    protocol?: 'sse' | 'shttp'
  }
}

/** Runs shell commands on the developer's server. */
export interface CreateBashTool extends ServedToolSettings {
  type: 'bash'
  subType: OpenString<'bash_20241022'>
  name: 'bash'
}

/** Steers a screen on the developer's server. */
export interface CreateComputerTool extends ServedToolSettings {
  type: 'computer'
  subType: OpenString<'computer_20241022'>
  name: 'computer'
  /** Pixels. */
  displayWidthPx: number
  /** Pixels. */
  displayHeightPx: number
  displayNumber?: number
}

/** Edits files on the developer's server. */
export interface CreateTextEditorTool extends ServedToolSettings {
  type: 'textEditor'
  subType: OpenString<'text_editor_20241022'>
  name: 'str_replace_editor'
}

/** Starts a scenario of Make. */
export interface CreateMakeTool extends ToolSettings {
  type: 'make'
  metadata: { scenarioId?: number; triggerHookId?: number }
}

/** Starts a workflow of GoHighLevel. */
export interface CreateGhlTool extends ToolSettings {
  type: 'ghl'
  metadata: { workflowId?: string; locationId?: string }
}

/** Works with Google Calendar and Google Sheets; which one, the type says. */
export type CreateGoogleTool =
  | PlainTool<'google.calendar.event.create'>
  | PlainTool<'google.calendar.availability.check'>
  | PlainTool<'google.sheets.row.append'>

/** Posts a message to Slack. */
export type CreateSlackTool = PlainTool<'slack.message.send'>

/** Works with the calendar and the contacts of GoHighLevel; how, the type says. */
export type CreateGoHighLevelTool =
  | PlainTool<'gohighlevel.calendar.availability.check'>
  | PlainTool<'gohighlevel.calendar.event.create'>
  | PlainTool<'gohighlevel.contact.create'>
  | PlainTool<'gohighlevel.contact.get'>

/** Body of `tools.create`, and a tool given inline to a model. `type` says which of the 22 kinds it is. */
export type CreateTool =
  | CreateFunctionTool
  | CreateApiRequestTool
  | CreateTransferCallTool
  | CreateDtmfTool
  | CreateEndCallTool
  | CreateOutputTool
  | CreateSmsTool
  | CreateQueryTool
  | CreateMcpTool
  | CreateBashTool
  | CreateComputerTool
  | CreateTextEditorTool
  | CreateMakeTool
  | CreateGhlTool
  | CreateGoogleTool
  | CreateSlackTool
  | CreateGoHighLevelTool

/** All kinds of tools. */
export type ToolType = CreateTool['type']

/** Takes each kind by itself, so that the type still tells them apart. */
type UpdateOf<Kind> = Kind extends { type: ToolType } ? Partial<Kind> & Pick<Kind, 'type'> : never

/** Body of `tools.update`: the tool's type, which stays as it is, and what changes. */
export type UpdateTool = UpdateOf<CreateTool>

/** A stored tool; `Extract<Tool, { type: 'function' }>` is one of a kind. */
export type Tool = CreateTool & {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `tools.list`. */
export type ListTools = ListQuery
