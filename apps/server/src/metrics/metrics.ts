import { OUTCOMES, outcomeOf, REFUSALS } from '@heyline/call-desk'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RouteGroup } from './route-group.js'

/** Upper bounds in seconds: of an answer, of an engine, and of the parts of a turn. */
const ANSWER_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10]
const ENGINE_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8]
const TURN_SECONDS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 5]

export type EnginePart = 'transcriber' | 'model' | 'voice'

/** Every metric of ours with its labels. The values of each label are a closed list: none holds a slug, a number or a word of a stranger. */
export class Metrics {
  readonly registry = new Registry()

  readonly #requests = this.#counter('heyline_http_requests_total', 'Answers, also those of the edge', [
    'group',
    'method',
    'status',
  ])
  readonly #requestSeconds = this.#histogram(
    'heyline_http_request_seconds',
    'Until the client had its answer; event streams and clients that left are not in it',
    ['group'],
    ANSWER_SECONDS,
  )
  readonly #refusals = this.#counter('heyline_gate_refusals_total', 'Calls that the gate refused', [
    'kind',
    'direction',
    'reason',
  ])
  readonly #turnSeconds = this.#histogram(
    'heyline_turn_seconds',
    'Of turns that were answered: from the caller’s last sound to the first sound of the reply (first_sound), and its parts',
    ['part'],
    TURN_SECONDS,
  )
  readonly #engineRequests = this.#counter('heyline_engine_requests_total', 'What engines were asked', [
    'engine',
    'result',
  ])
  readonly #engineSeconds = this.#histogram(
    'heyline_engine_seconds',
    'Until the words (transcriber), or the first output (model, voice)',
    ['engine'],
    ENGINE_SECONDS,
  )
  readonly #conversationsEnded = this.#counter(
    'heyline_conversations_ended_total',
    'Conversations that ended',
    ['kind', 'direction', 'outcome'],
  )

  readonly #openedAhead = this.#counter(
    'heyline_transcriber_connections_ahead_total',
    'Connections to the transcriber that were opened before their calls began',
    ['result'],
  )

  /** Of this process, as it is. */
  readonly conversations = this.#gauge('heyline_conversations', 'Calls that this process holds')
  readonly room = this.#gauge('heyline_conversations_room', 'How many more calls this process takes')
  readonly pool = this.#gauge('heyline_postgres_connections', 'Connections of this process to Postgres', [
    'state',
  ])
  readonly poolWaiting = this.#gauge('heyline_postgres_waiting', 'Statements that wait for a connection')
  readonly info = this.#gauge('heyline_info', 'Always 1', ['version', 'database'])

  /** Of all processes, as the database has it. */
  readonly databaseUp = this.#gauge(
    'heyline_database_up',
    'Whether the database answered what is below, 1 or 0',
  )
  readonly calls = this.#gauge('heyline_calls', 'Calls of the last 24 hours that the gate let pass', [
    'kind',
    'direction',
    'state',
    'outcome',
  ])
  readonly queueLength = this.#gauge('heyline_call_queue_length', 'Phone calls that wait to be dialled')
  readonly queueAge = this.#gauge(
    'heyline_call_queue_age_seconds',
    'For how long the oldest of them has been due',
  )
  readonly inboxLength = this.#gauge('heyline_call_inbox_length', 'Messages of the platform that wait')
  readonly inboxAge = this.#gauge(
    'heyline_call_inbox_age_seconds',
    'For how long the oldest of them has been due',
  )
  readonly spend = this.#gauge('heyline_spend_dollars', 'Of the last 24 hours (day) and 31 days (month)', [
    'kind',
    'window',
    'state',
  ])
  readonly budget = this.#gauge('heyline_budget_dollars', 'What may be spent, where there is a limit', [
    'kind',
    'window',
  ])
  readonly callingStopped = this.#gauge('heyline_calling_stopped', 'Whether nothing is dialled, 1 or 0', [
    'by',
  ])
  readonly deliveriesDue = this.#gauge('heyline_deliveries_due', 'Messages to endpoints that are due')
  readonly deliveriesAge = this.#gauge(
    'heyline_delivery_age_seconds',
    'For how long the oldest of them has been due',
  )
  readonly deliveriesDead = this.#gauge('heyline_deliveries_failed', 'Given up in the last 24 hours')

  readonly backupAge = this.#gauge(
    'heyline_backup_age_seconds',
    'How old the newest scheduled backup is, where there is one',
  )
  readonly backupBytes = this.#gauge('heyline_backup_bytes', 'How large it is')
  readonly backupFailed = this.#gauge(
    'heyline_backup_failed',
    'Whether the last try made no backup, 1 or 0; only where backups are scheduled',
  )

  /** An answer is over. `seconds` is left out for what lasts as long as somebody listens. */
  answered(group: RouteGroup, method: string, status: string, seconds: number | undefined): void {
    this.#requests.inc({ group, method, status })
    if (seconds !== undefined) this.#requestSeconds.observe({ group }, seconds)
  }

  refused(kind: 'phone' | 'web', direction: 'out' | 'in', refusal: string): void {
    this.#refusals.inc({ kind, direction, reason: REFUSALS.find((known) => known === refusal) ?? 'other' })
  }

  turn(part: 'endpointing' | 'first_sound' | EnginePart, ms: number | undefined): void {
    if (ms !== undefined) this.#turnSeconds.observe({ part }, ms / 1000)
  }

  /** `dropped`: nobody wanted the answer any more. */
  engineAsked(engine: EnginePart, result: 'ok' | 'failed' | 'dropped'): void {
    this.#engineRequests.inc({ engine, result })
  }

  engineTook(engine: EnginePart, seconds: number): void {
    this.#engineSeconds.observe({ engine }, seconds)
  }

  /** A connection to the transcriber that waited for a call's first words. */
  openedAhead(result: 'used' | 'unused' | 'broken'): void {
    this.#openedAhead.inc({ result })
  }

  conversationEnded(kind: 'phone' | 'web', direction: 'out' | 'in', endedReason: string): void {
    const outcome = OUTCOMES.find((known) => known === outcomeOf(endedReason)) ?? 'other'
    this.#conversationsEnded.inc({ kind, direction, outcome })
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]) {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] })
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) {
    return new Gauge({ name, help, labelNames, registers: [this.registry] })
  }
}
