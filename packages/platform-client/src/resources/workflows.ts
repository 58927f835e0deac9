import type {
  CreateWorkflow,
  GeneratedWorkflow,
  GenerateWorkflow,
  UpdateWorkflow,
  Workflow,
} from '../api/workflow.js'
import type { RequestOptions } from '../request/request-input.js'

/** Workflows: conversations as nodes, and edges between them. */
export interface Workflows {
  /** All workflows; this list takes no query. `GET /workflow` */
  list(options?: RequestOptions): Promise<Workflow[]>
  /** Stores a workflow. `POST /workflow` */
  create(body: CreateWorkflow, options?: RequestOptions): Promise<Workflow>
  /** One workflow. `GET /workflow/{id}` */
  get(id: string, options?: RequestOptions): Promise<Workflow>
  /** Changes the fields given; `nodes` and `edges` are replaced as a whole. `PATCH /workflow/{id}` */
  update(id: string, body: UpdateWorkflow, options?: RequestOptions): Promise<Workflow>
  /** Deletes a workflow, and answers what it was. `DELETE /workflow/{id}` */
  delete(id: string, options?: RequestOptions): Promise<Workflow | undefined>
  /** Makes a workflow from transcripts of calls, and does not store it: hand the answer to `create`. `POST /workflow/generate` */
  generate(body: GenerateWorkflow, options?: RequestOptions): Promise<GeneratedWorkflow>
}
