/** A JSON Schema, as far as language models are held to it. Other keywords pass through. */
export interface JsonSchema {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  /** Needed for `array`: what each item is. */
  items?: JsonSchema
  /** Needed for `object`. */
  properties?: Record<string, JsonSchema>
  /** Names of the properties that an `object` must have. */
  required?: string[]
  /** Tells the model what belongs here. */
  description?: string
  /** The only values that are allowed. */
  enum?: string[]
  /** Filled in for the model, as a template. */
  value?: string
  /** The variable that takes the value of this property. */
  target?: string
  [keyword: string]: unknown
}

/** What is read from what was said into variables. */
export interface VariableExtractionPlan {
  /** Further variables: `value` is Liquid. */
  aliases?: { key: string; value: string }[]
  schema?: JsonSchema
}
