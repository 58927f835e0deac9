import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { EditorsOnly } from '../office/editors-only.js'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { Facts } from '../ui/facts.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { SureButton } from '../ui/sure-button.js'
import { Time } from '../ui/time.js'
import { toast } from '../ui/toast.js'
import { TICKET_TEXTS as TEXTS, TICKETS_TEXTS } from './texts.js'
import { aboutWords, categoryWords, subjectWords, type Ticket, writerWords } from './ticket-line.js'
import './tickets.css'

/** One ticket: all of what somebody wrote, and what can be done with it. */
export default function TicketScreen() {
  return (
    <EditorsOnly title={TEXTS.title} icon="tickets" texts={TICKETS_TEXTS}>
      <OneTicket />
    </EditorsOnly>
  )
}

function OneTicket() {
  const { id } = useParams({ from: '/tickets/$id' })
  const office = useOffice()
  const {
    data: ticket,
    error,
    refetch,
  } = useQuery({
    queryKey: ['tickets', 'one', id],
    queryFn: () => office.tickets.show({ id }),
  })
  return (
    <Screen
      title={ticket ? subjectWords(ticket) : TEXTS.title}
      intro={<Link to="/tickets">{TEXTS.back}</Link>}
      actions={ticket && <Remove ticket={ticket} />}
    >
      {error && !ticket && <LoadFailed error={error} retry={refetch} />}
      {!error && !ticket && <Skeleton lines={8} />}
      {ticket && <Parts ticket={ticket} />}
    </Screen>
  )
}

function Remove({ ticket }: { ticket: Ticket }) {
  const { id } = ticket
  const office = useOffice()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => office.tickets.remove({ id }),
    onSuccess() {
      toast({ text: TEXTS.removed(subjectWords(ticket)) })
      queries.removeQueries({ queryKey: ['tickets', 'one', id] })
      void queries.invalidateQueries({ queryKey: ['tickets', 'list'] })
      void navigate({ to: '/tickets' })
    },
    onError: (error) => toast({ text: textOf(error, TEXTS.notDone), isBad: true }),
  })
  return (
    <SureButton
      sure={TEXTS.removeSure}
      icon="remove"
      isBusy={remove.isPending}
      onSure={() => remove.mutate()}
    >
      {TEXTS.remove}
    </SureButton>
  )
}

function Parts({ ticket }: { ticket: Ticket }) {
  const about = aboutWords(ticket)
  return (
    <div className="panels">
      <Panel title={TEXTS.message}>
        <p className="ticket-text">{ticket.message}</p>
      </Panel>
      {ticket.callDetails !== null && ticket.callDetails.trim() !== '' && (
        <Panel title={TEXTS.callDetails}>
          <p className="ticket-text">{ticket.callDetails}</p>
        </Panel>
      )}
      <Panel title={TEXTS.facts}>
        <Facts
          facts={[
            { name: TICKETS_TEXTS.category, value: categoryWords(ticket) },
            ...(about === null ? [] : [{ name: TEXTS.about, value: about }]),
            { name: TICKETS_TEXTS.who, value: writerWords(ticket) },
            { name: TICKETS_TEXTS.when, value: <Time at={ticket.createdAt} /> },
            { name: TEXTS.id, value: ticket.id },
          ]}
        />
      </Panel>
    </div>
  )
}
