import type { ListQuery } from './list-query.js'
import type {
  CreateApiRequestTool,
  CreateBashTool,
  CreateComputerTool,
  CreateDtmfTool,
  CreateEndCallTool,
  CreateFunctionTool,
  CreateGhlTool,
  CreateGoHighLevelTool,
  CreateGoogleTool,
  CreateMakeTool,
  CreateMcpTool,
  CreateOutputTool,
  CreateQueryTool,
  CreateSlackTool,
  CreateSmsTool,
  CreateTextEditorTool,
  CreateTransferCallTool,
} from './tool-kind.js'

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
