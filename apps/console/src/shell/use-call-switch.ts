import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Office, useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { toast } from '../ui/toast.js'
import { SHELL_TEXTS } from './texts.js'

/** `broken`: the circuit breaker stopped the calls. `unknown`: the server has not said yet. */
export type CallState = 'on' | 'paused' | 'broken' | 'unknown'

type CallSwitches = Awaited<ReturnType<Office['calls']['status']>>

const STATUS = ['calls', 'status']

/** Whether calls are placed, in a word and a sentence, and what turns them round. */
export function useCallSwitch() {
  const office = useOffice()
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: STATUS, queryFn: () => office.calls.status() })
  const state = stateOf(data)
  const turning = useMutation({
    mutationFn: () => (state === 'on' ? office.calls.pause() : office.calls.resume()),
    onSuccess(switches) {
      queries.setQueryData(STATUS, switches)
      toast({ about: 'calls', text: switches.pausedAt === null ? SHELL_TEXTS.resumed : SHELL_TEXTS.paused })
    },
    onError: (error) => toast({ text: textOf(error, SHELL_TEXTS.notDone), isBad: true }),
  })
  return {
    state,
    said: SAID[state],
    inFlight: data?.inFlight ?? 0,
    isBusy: turning.isPending,
    turn: () => turning.mutate(),
  }
}

function stateOf(switches: CallSwitches | undefined): CallState {
  if (!switches) return 'unknown'
  if (switches.pausedAt !== null) return 'paused'
  return switches.breaker ? 'broken' : 'on'
}

const SAID: Record<CallState, { full: string; short: string }> = {
  on: SHELL_TEXTS.callsOn,
  paused: SHELL_TEXTS.callsPaused,
  broken: SHELL_TEXTS.callsBroken,
  unknown: SHELL_TEXTS.callsUnknown,
}
