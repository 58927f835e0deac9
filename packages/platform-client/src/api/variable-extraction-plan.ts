import type { JsonSchema } from './json-schema.js'

/** What is read from what was said into variables. */
export interface VariableExtractionPlan {
  schema?: JsonSchema
}
