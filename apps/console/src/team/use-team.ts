import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import type { Role } from '../office/roles.js'
import { sayFailure } from '../office/say-failure.js'
import { useStepUp } from '../step-up/step-up-provider.js'
import { toast } from '../ui/toast.js'
import { TEAM_TEXTS } from './texts.js'

export type Member = Awaited<ReturnType<Office['operators']['list']>>[number]
export type SentLink = Awaited<ReturnType<Office['operators']['invite']>>

const KEY = ['operators', 'list']

/** The operators, and what an owner does with them. Each may ask for a second factor. */
export function useTeam(mayLook: boolean) {
  const office = useOffice()
  const queries = useQueryClient()
  const withStepUp = useStepUp()
  const [link, showLink] = useState<SentLink>()
  const list = useQuery({ queryKey: KEY, queryFn: () => office.operators.list(), enabled: mayLook })

  async function doing<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await withStepUp(work)
    } finally {
      await queries.invalidateQueries({ queryKey: KEY })
    }
  }
  const invite = async (asked: { email: string; role: Role }) =>
    showLink(await doing(() => office.operators.invite(asked)))
  const setRole = (email: string, role: Role) => doing(() => office.operators.setRole({ email, role }))
  const changeRole = async ({ email, role: before }: Member, role: Role) => {
    if (role === before) return
    await setRole(email, role)
    toast({
      about: `role of ${email}`,
      text: TEAM_TEXTS.roleChanged(email, role),
      undo: () => setRole(email, before),
    })
  }
  const reset = async (email: string) => showLink(await doing(() => office.operators.reset({ email })))
  const remove = async ({ email, role }: Member) => {
    await doing(() => office.operators.remove({ email }))
    toast({ text: TEAM_TEXTS.removed(email), undo: () => invite({ email, role }) })
  }
  return {
    list,
    link,
    /** It is gone: only its owner has it now. */
    forgetLink: () => showLink(undefined),
    /** Rejects where it was refused: the form says why. */
    invite,
    inviteAgain: (member: Member) => void invite(member).catch(sayFailure),
    changeRole: (member: Member, role: Role) => void changeRole(member, role).catch(sayFailure),
    reset: (member: Member) => void reset(member.email).catch(sayFailure),
    remove: (member: Member) => void remove(member).catch(sayFailure),
  }
}

export type Team = ReturnType<typeof useTeam>
