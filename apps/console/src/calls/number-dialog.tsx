import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { NumberField } from '../ui/number-field.js'
import { RelativeTime } from '../ui/values.js'
import { CallState, whoseWords } from './call-line.js'
import { NUMBER_TEXTS } from './texts.js'

/** Most that is shown: one number has few calls. */
const MOST = 100

/** The calls of a telephone number. */
export default function NumberDialog({ close }: { close(): void }) {
  const office = useOffice()
  const [number, setNumber] = useState('')
  const finding = useMutation({ mutationFn: () => office.calls.ofNumber({ number, limit: MOST }) })
  const send = (event: FormEvent) => {
    event.preventDefault()
    finding.mutate()
  }
  const calls = finding.data?.calls
  return (
    <Dialog title={NUMBER_TEXTS.title} intro={NUMBER_TEXTS.intro} close={close}>
      <form className="fields" onSubmit={send}>
        <NumberField
          label={NUMBER_TEXTS.label}
          hint={NUMBER_TEXTS.hint}
          number={number}
          change={setNumber}
          error={finding.error ? textOf(finding.error, NUMBER_TEXTS.failed) : undefined}
        />
        <Button type="submit" look="primary" isBusy={finding.isPending}>
          {NUMBER_TEXTS.find}
        </Button>
      </form>
      {calls && (
        <p role="status">{calls.length === 0 ? NUMBER_TEXTS.none : NUMBER_TEXTS.found(calls.length)}</p>
      )}
      {calls && calls.length > 0 && (
        <ul className="found">
          {calls.map((call) => (
            <li key={call.id}>
              <Link to="/calls/$id" params={{ id: call.id }} onClick={close}>
                {whoseWords(call)}
              </Link>
              <CallState {...call} />
              <RelativeTime at={call.createdAt} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
