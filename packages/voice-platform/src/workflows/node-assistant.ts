import type { ConversationNode, CreateAssistant, CreateWorkflow } from '@heyline/platform-client'
import { inlineAssistant } from '../assistants/assistant-schema.js'

/** A workflow's own default, in seconds. */
const MAX_DURATION_SECONDS = 1_800

/** The assistant that speaks in a node: the workflow's plans, with the node's own model, voice and prompt. */
export function nodeAssistant(workflow: CreateWorkflow, node: ConversationNode): CreateAssistant {
  const { nodes: _, edges: __, globalPrompt, model, voice, name, ...plans } = workflow
  const content = [globalPrompt, node.prompt].filter(Boolean).join('\n\n')
  const own = node.model ?? model ?? { provider: 'openai' }
  const spoken = node.voice ?? voice
  return inlineAssistant.parse({
    maxDurationSeconds: MAX_DURATION_SECONDS,
    ...plans,
    name: name.slice(0, 40),
    model: { ...own, ...(content !== '' && { messages: [{ role: 'system', content }] }) },
    ...(spoken && { voice: spoken }),
    ...(node.transcriber && { transcriber: node.transcriber }),
  })
}
