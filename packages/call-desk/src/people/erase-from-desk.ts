import { type Queryable, rememberErased } from '@heyline/database'
import { writeAudit } from '../gate/audit.js'
import { GATE_LOCK } from '../gate/switches.js'
import { MAY_RUN } from '../records/may-run.js'
import { RecordsError } from '../records/records-error.js'
import { removeCounted } from '../retention/old-rows.js'
import { forgetCalls } from '../web-calls/forgotten-calls.js'
import { isOneOf, requestsOf } from './desk-rows.js'
import { type Person, slugsOf } from './person.js'
import { removeToldMessages, type ToldMessages } from './told-messages.js'

/** Rejects with a `RecordsError` while a call of the person runs, or may run. */
export async function refuseRunning(db: Queryable, person: Person): Promise<void> {
  const { where, value } = requestsOf(person)
  const { rows } = await db.query(
    `select from call_desk.call_requests r where ${where} and ${MAY_RUN} limit 1`,
    [value],
  )
  if (rows.length > 0) throw callRunning()
}

export const callRunning = (): RecordsError =>
  new RecordsError(
    'call_running',
    'A call of this person runs, or may run: wait until it has ended (heyline calls list), or end all calls with heyline calls pause; then try again',
  )

/** What was erased of the desk's tables. */
export interface ErasedFromDesk {
  requests: number
  messages: number
  /** Customers of campaigns who had the number. */
  customers: number
  /** The number is on the do-not-call list, and stays there. */
  doNotCall: boolean
}

/**
 * Removes a person from the desk's tables: requests, messages that are not dealt with, and what is counted for a visitor. The ledger keeps
 * the money, under an id that names nothing any more. The do-not-call list keeps the number. The audit tells of it, without the person.
 * To be asked in a transaction, after `platformCallsOf`, whose calls the platform has to forget; what a hosted one goes on telling of them is not stored again. Rejects while a call may run. `told`
 * was found before: until the transaction ends no call passes the gate. For the same reason `eraseRefused` goes before, and `refused` is how many
 * requests that removed: they are counted here, too.
 */
export async function eraseFromDesk(
  tx: Queryable,
  person: Person,
  told: ToldMessages,
  refused = 0,
): Promise<ErasedFromDesk> {
  // No request of the person is stored meanwhile, nor after it by who had looked the person up before.
  await tx.query(`select ${GATE_LOCK}`)
  await refuseRunning(tx, person)
  await rememberErased(tx, 'slug', slugsOf(person))
  if ('number' in person) await rememberErased(tx, 'number', [person.number])
  const { where, value } = requestsOf(person)
  const messages = await removeToldMessages(tx, person, told)
  await forgetCalls(tx, where, [value])
  const mine = `select r.id from call_desk.call_requests r where ${where}`
  await tx.query(`update call_desk.do_not_call set request_id = null where request_id in (${mine})`, [value])
  const requests = refused + (await removeCounted(tx, `id in (${mine})`, [value]))
  if ('visitor' in person) await eraseVisitor(tx, slugsOf(person))
  const customers = 'number' in person ? await eraseCustomer(tx, person.number) : 0
  if (requests + messages + customers > 0) await writeAudit(tx, 'person_erased', { requests, messages })
  const listed = 'number' in person && (await isListed(tx, person.number))
  return { requests, messages, customers, doNotCall: listed }
}

/** Takes a number out of all campaigns, which call it no more. */
async function eraseCustomer(tx: Queryable, phone: string): Promise<number> {
  const erased = await tx.query('delete from call_desk.campaign_customers where phone = $1', [phone])
  return erased.rowCount
}

/** What is kept under the slugs beside the requests. */
async function eraseVisitor(tx: Queryable, slugs: string[]): Promise<void> {
  await tx.query(`delete from call_desk.slug_resets where ${isOneOf('slug_resets.slug')}`, [slugs])
  await tx.query(`delete from call_desk.caller_ids where ${isOneOf('caller_ids.slug')}`, [slugs])
  await tx.query(`delete from call_desk.slug_totals where ${isOneOf('slug_totals.slug')}`, [slugs])
  await tx.query(
    `update call_desk.audit set detail = detail - 'slug' where ${isOneOf("detail ->> 'slug'")}`,
    [slugs],
  )
}

async function isListed(tx: Queryable, phone: string): Promise<boolean> {
  const { rows } = await tx.query('select from call_desk.do_not_call where phone = $1', [phone])
  return rows.length > 0
}
