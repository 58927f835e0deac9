import type { z } from 'zod'
import type { Role } from '../operators/role.js'

/** Who may ask: an operator of this role or a higher one, anybody at all, or nobody but the holder of the secret key. */
export type OperationRole = Role | 'anyone' | 'secret-key'

/** What comes back. `lines`: values as JSON, one a line, as they come. `events`: server-sent events. */
export type OperationAnswer =
  | { kind: 'json'; schema: z.ZodType; status?: 201 }
  | { kind: 'lines'; schema: z.ZodType; isLive?: true }
  | { kind: 'events'; schema: z.ZodType }
  | { kind: 'file'; type: string }

/** One thing that the operator API does: the routes, the OpenAPI document, the typed client and the role table come from these. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/-/office`. */
  path: `/${string}`
  /** One sentence without a full stop, for the document. */
  summary: string
  role: OperationRole
  /** Needs a second factor, or where the operator has none a password, that was entered a short while ago. */
  stepUp?: true
  /** No number and no address of a person stands here: addresses are logged. */
  query?: z.ZodObject
  body?: z.ZodObject
  /** The body is values as JSON, one a line. */
  bodyLines?: z.ZodType
  /** The one field of the body is a list of texts that may be very long, and hold no comma: it is read in pieces. */
  listed?: string
  /** Longest body, in bytes; `BODY_LIMIT` where it is left out. Of a body of lines: longest line, in characters. */
  longest?: number
  /** Most values of the body, with those inside of others; `VALUES_LIMIT` where it is left out. Of a body of lines: of one line. */
  mostValues?: number
  answer: OperationAnswer
  /** It stores nothing, though its method may. */
  reads?: true
  /**
   * Of what reads: it waits in no line, because it takes short rows by their key, or waits for others than the database, or has turns of its own.
   */
  isQuick?: true
  /** What the audit calls it; left out for what only reads, and for what writes its own line. */
  audit?: string
  /** It can be done without end and leave nothing behind: the audit counts it beyond some of an hour, as it does exports (`writeRepeated`). */
  isRepeatable?: true
  /**
   * Fields of the answer that the audit keeps. None of them holds a number or a text of a visitor. Those that are numbers and lists say how much
   * was changed: where there are some, and all are 0 or empty, nothing was (`changedNothing`). An answer without them says it in `isChanged`.
   */
  notes?: readonly string[]
  /** What is said of an input that the schema refuses; left out: `invalid_request`, and where. */
  refusal?: (error: z.ZodError) => { code: string; message: string }
  /** Longest that a client waits for the answer, in ms; 10 s where it is left out. */
  patienceMs?: number
}

/** Whether it stores nothing. */
export const isRead = ({ method, reads }: Pick<Operation, 'method' | 'reads'>): boolean =>
  method === 'GET' || reads === true

/** Whether it makes the database look for something, so that it waits for its turn (`ReadTurns`). */
export const isSearch = (operation: Operation): boolean =>
  isRead(operation) && operation.answer.kind === 'json' && operation.role !== 'anyone' && !operation.isQuick

/** Longest body of most operations, in bytes. */
export const BODY_LIMIT = 100_000
/** Most values of most bodies: none of them has a long list. */
export const VALUES_LIMIT = 1_000
/** What may take long: all rows of a table, a large file. */
export const LONG_PATIENCE_MS = 10 * 60_000

/** Keeps the exact types of a description. */
export const operation = <const Given extends Operation>(given: Given): Given => given

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ kind: 'json', schema }) as const
export const created = <Schema extends z.ZodType>(schema: Schema) =>
  ({ kind: 'json', schema, status: 201 }) as const
export const lines = <Schema extends z.ZodType>(schema: Schema) => ({ kind: 'lines', schema }) as const
export const liveLines = <Schema extends z.ZodType>(schema: Schema) =>
  ({ kind: 'lines', schema, isLive: true }) as const
export const events = <Schema extends z.ZodType>(schema: Schema) => ({ kind: 'events', schema }) as const
export const file = <Type extends string>(type: Type) => ({ kind: 'file', type }) as const

/** A part of the input, as it is written or as it is read. */
type Written<Schema> = Schema extends z.ZodType ? z.input<Schema> : unknown
type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown
type Field<Op, Name extends string> = Op extends Record<Name, infer Schema> ? Schema : undefined

/** What a client gives. */
export type InputOf<Op> = Written<Field<Op, 'query'>> &
  Written<Field<Op, 'body'>> &
  (Op extends { bodyLines: infer Line extends z.ZodType }
    ? { lines: AsyncIterable<z.input<Line>[]> }
    : unknown)

/** What a handler gets. Lines are read whole before: while a transaction is open, others wait for the database. */
export type TakenBy<Op> = Read<Field<Op, 'query'>> &
  Read<Field<Op, 'body'>> &
  (Op extends { bodyLines: infer Line extends z.ZodType } ? { lines: z.output<Line>[][] } : unknown)

/** What a handler gives. */
export type GivenBy<Op> = Op extends { answer: { kind: infer Kind; schema: infer Schema extends z.ZodType } }
  ? Kind extends 'json'
    ? z.input<Schema> | Promise<z.input<Schema>>
    : AsyncIterable<z.input<Schema>[]>
  : Promise<ReadableStream<Uint8Array>>

/** What a client gets. */
export type AnswerOf<Op> = Op extends { answer: { kind: infer Kind; schema: infer Schema extends z.ZodType } }
  ? Kind extends 'json'
    ? Promise<z.output<Schema>>
    : AsyncIterable<z.output<Schema>[]>
  : Promise<ReadableStream<Uint8Array>>
