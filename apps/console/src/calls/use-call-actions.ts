import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useOffice } from '../office/office.js'
import { textOf, wasAnswered } from '../office/refusal.js'
import { toast } from '../ui/toast.js'
import { CALL_TEXTS } from './texts.js'

/** What an operator does to one call. */
export function useCallActions(id: string) {
  const office = useOffice()
  const queries = useQueryClient()
  const navigate = useNavigate()
  // One press is one call: it keeps its key until the server has said what became of it.
  const key = useRef(crypto.randomUUID())
  const onError = (error: unknown) => toast({ text: textOf(error, CALL_TEXTS.notDone), isBad: true })
  const onSettled = () => queries.invalidateQueries({ queryKey: ['calls'] })
  const end = useMutation({
    mutationFn: () => office.calls.end({ id }),
    onSuccess: () => toast({ text: CALL_TEXTS.ending }),
    onError,
    onSettled,
  })
  const again = useMutation({
    mutationFn: () => office.calls.again({ id, key: key.current }),
    onSuccess(answer) {
      key.current = crypto.randomUUID()
      if (answer.accepted) toast({ text: CALL_TEXTS.accepted })
      else toast({ text: answer.reason ?? CALL_TEXTS.notDone, isBad: true })
      if (answer.accepted && answer.id !== null)
        void navigate({ to: '/calls/$id', params: { id: answer.id } })
    },
    onError(error) {
      if (wasAnswered(error)) key.current = crypto.randomUUID()
      onError(error)
    },
    onSettled,
  })
  const remove = useMutation({
    mutationFn: () => office.calls.remove({ id }),
    onSuccess({ platformRecord }) {
      toast({ text: platformRecord === 'hosted' ? CALL_TEXTS.removedHosted : CALL_TEXTS.removed })
      queries.removeQueries({ queryKey: ['calls', 'one', id] })
      void navigate({ to: '/calls' })
    },
    onError,
  })
  return { end, again, remove }
}
