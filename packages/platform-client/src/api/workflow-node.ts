import type { VariableExtractionPlan } from './json-schema.js'
import type {
  AnthropicModelName,
  AnthropicThinking,
  CustomModelServer,
  GoogleModelName,
  OpenAiModelName,
} from './model.js'
import type { OpenString } from './open-string.js'
import type { CreateTool } from './tool.js'
import type { Transcriber } from './transcriber.js'
import type { Voice } from './voice.js'

interface NodeSettings {
  /** By which edges name the node. At most 80 characters. */
  name: string
  /** The workflow begins here. */
  isStart?: boolean
  /** The developer's own notes; the platform only stores them. */
  metadata?: Record<string, unknown>
}

interface NodeModelSettings {
  /** 0–2. */
  temperature?: number
  /** Most tokens of one reply, 50–10,000. */
  maxTokens?: number
}

/** The model of one node. Its prompt is the node's, so that less can be set than for an assistant's model. */
export type NodeModel = NodeModelSettings &
  (
    | { provider: 'openai'; model: OpenAiModelName }
    | { provider: 'anthropic'; model: AnthropicModelName; thinking?: AnthropicThinking }
    | { provider: 'google'; model: GoogleModelName }
    | ({ provider: 'custom-llm'; model: string } & CustomModelServer)
    | { provider: OpenString<'anthropic-bedrock'>; model: string; [setting: string]: unknown }
  )

/** Makes a node reachable from everywhere. */
export interface GlobalNodePlan {
  /** Default false. */
  enabled?: boolean
  /** In words: when to come here. At most 1000 characters; default empty. */
  enterCondition?: string
}

/** The customer is spoken with, until an edge's condition is met. */
export interface ConversationNode extends NodeSettings {
  type: 'conversation'
  /** At most 5000 characters. */
  prompt?: string
  /** Default: the workflow's. */
  model?: NodeModel
  /** Default: the workflow's. */
  voice?: Voice
  /** Default: the workflow's. */
  transcriber?: Transcriber
  globalNodePlan?: GlobalNodePlan
  variableExtractionPlan?: VariableExtractionPlan
}

/** A tool is called. */
export interface ToolNode extends NodeSettings {
  type: 'tool'
  tool?: CreateTool
  /** A stored tool in place of `tool`. */
  toolId?: string
}

/** A step of a workflow. */
export type WorkflowNode = ConversationNode | ToolNode
