import { useState } from 'react'
import { useOffice } from '../office/office.js'
import { sayFailure } from '../office/say-failure.js'
import { Button } from '../ui/button.js'
import { Choices } from '../ui/choices.js'
import { Dialog } from '../ui/dialog.js'
import { toast } from '../ui/toast.js'
import { DeliveriesLog } from './deliveries-log.js'
import { LOG_TEXTS } from './texts.js'
import { TriesLog } from './tries-log.js'
import type { Endpoint } from './use-endpoints.js'
import { useFreshLog } from './use-log.js'

type Shown = (typeof LOG_TEXTS.shown)[number]['value']

/** What an endpoint was told or is to be told, each try, and sending again. */
export default function LogDialog({ endpoint, close }: { endpoint: Endpoint; close(): void }) {
  const { id, name, kind } = endpoint
  const office = useOffice()
  const freshen = useFreshLog()
  const [shown, show] = useState<Shown>('all')
  const replay = async (eventId?: string) => {
    try {
      const { count } = await office.endpoints.replay({ id, eventId })
      toast({ text: LOG_TEXTS.replayed(count) })
    } catch (error) {
      sayFailure(error)
    } finally {
      await freshen()
    }
  }
  return (
    <Dialog title={LOG_TEXTS.title(name)} intro={LOG_TEXTS.intro} close={close} width="wide">
      <div className="toolbar">
        <Choices label={LOG_TEXTS.parts} options={LOG_TEXTS.shown} value={shown} choose={show} />
        {shown === 'dead' && <Button onClick={() => void replay()}>{LOG_TEXTS.replayAll}</Button>}
      </div>
      {shown === 'tries' ? (
        <TriesLog id={id} kind={kind} />
      ) : (
        <DeliveriesLog id={id} state={shown === 'all' ? undefined : shown} replay={replay} />
      )}
    </Dialog>
  )
}
