import { type OfficeClient, OfficeError } from '@heyline/back-office/client'
import type { NotDescribedYet, Office } from './office.js'

/** The API with the call that it does not describe yet. */
export function openOffice(client: OfficeClient): Office {
  const search: NotDescribedYet['visitors']['search'] = async (asked) => {
    const answer = await fetch('/-/office/visitors/search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    const given = await answer.json()
    if (!answer.ok) throw new OfficeError(answer.status, given.code, given.message)
    return given
  }
  return { ...client, visitors: { ...client.visitors, search } }
}
