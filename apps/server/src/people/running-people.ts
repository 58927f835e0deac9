import type { People } from '@heyline/back-office'
import { RECORDS_ERRORS } from '../calls/running-calls.js'
import { runningOffice } from '../running-server/running-office.js'

/** The people in the tables of a running server, through `/-/office`. Who it is travels in bodies, never in an address. */
export function runningPeople(serverUrl: string, secretKey: string): People {
  const { people } = runningOffice(serverUrl, secretKey, RECORDS_ERRORS)
  return {
    export: (person) => people.export(person),
    erase: (person) => people.erase(person),
  }
}
