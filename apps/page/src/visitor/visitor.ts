import { NAMELESS } from './texts.js'

/** A row of `visitors` (spec 3). */
export interface Visitor {
  slug: string
  name: string
  /** The assistant's system prompt; may be empty. */
  system: string | null
  /** The assistant's opening line; may be empty. */
  first_message: string | null
}

/** What a visitor's row says to the assistant. */
export type AssistantTexts = Pick<Visitor, 'system' | 'first_message'>

/** The part of a visitor that may stand in the HTML. */
export type Greeted = Pick<Visitor, 'slug' | 'name'>

/** Half of a surrogate pair. In HTML it becomes U+FFFD, in JSON it stays: the greeting would not be the same in both. */
const HALF_CHARACTER = /\p{Surrogate}/gu
/** Controls, and separators of lines and paragraphs. Our own table refuses them, and those below; a hosted one may hold them. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
/** What would turn the direction of the text behind the name as well. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Checks a row as the backend sent it; throws `VisitorLookupError` when it is no visitor. Other columns are dropped. The name becomes one
 * line of well-formed text, and a row without one is greeted as the page at `/` greets.
 */
export function parseVisitor(row: unknown): Visitor {
  const { slug, name, system, first_message } = Object(row) as Record<string, unknown>
  if (
    typeof slug !== 'string' ||
    name === undefined ||
    !isText(name) ||
    !isText(system) ||
    !isText(first_message)
  )
    throw new VisitorLookupError(
      'invalid-row',
      'The backend answered with a row that is no visitor; check the columns of the visitors table.',
    )
  return {
    slug,
    name: nameOf(name ?? ''),
    system: system ?? null,
    first_message: first_message ?? null,
  }
}

const nameOf = (name: string): string =>
  name.replace(HALF_CHARACTER, '\ufffd').replace(DIRECTIONS, '').replace(CONTROLS, ' ').trim() || NAMELESS

function isText(value: unknown): value is string | null | undefined {
  return value === null || value === undefined || typeof value === 'string'
}

/** Thrown when a read of `visitors` failed: the backend was not reached, refused, or sent something else. */
export class VisitorLookupError extends Error {
  readonly code: 'read-failed' | 'invalid-row'

  constructor(code: VisitorLookupError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'VisitorLookupError'
    this.code = code
  }
}
