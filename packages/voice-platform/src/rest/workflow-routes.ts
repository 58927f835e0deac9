import type { Hono } from 'hono'
import { type WorkflowWriter, workflowOrder } from '../workflows/workflow-writer.js'
import type { Doorkeeper } from './access.js'
import { parseBody } from './parse-request.js'

export interface WorkflowRoutes {
  workflowWriter: WorkflowWriter
  doorkeeper: Doorkeeper
}

/** What of workflows is more than to store them. */
export function serveWorkflows(app: Hono, { workflowWriter, doorkeeper }: WorkflowRoutes): void {
  app.post('/workflow/generate', async (context) => {
    const { raw } = context.req
    await doorkeeper.admit(raw, 'private')
    return context.json(await workflowWriter.write(await parseBody(raw, workflowOrder), raw.signal), 201)
  })
}
