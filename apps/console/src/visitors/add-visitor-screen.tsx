import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { EditorsOnly } from '../office/editors-only.js'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { Screen } from '../ui/screen.js'
import { toast } from '../ui/toast.js'
import { BY_DEFAULT, useCallFrom } from './call-from.js'
import { EDITOR_TEXTS } from './texts.js'
import { type VisitorDraft, VisitorForm } from './visitor-form.js'

const EMPTY: VisitorDraft = {
  slug: '',
  name: '',
  system: '',
  firstMessage: '',
  listed: false,
  callFrom: BY_DEFAULT,
}

/** A new visitor. */
export default function AddVisitorScreen() {
  const office = useOffice()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const numbers = useCallFrom()
  const add = async ({ callFrom, ...draft }: VisitorDraft) => {
    const { slug, name } = await office.visitors.add(draft)
    await queries.invalidateQueries({ queryKey: ['visitors'] })
    toast({ text: EDITOR_TEXTS.added(name) })
    // They are stored by now: what fails here is mended on their own screen.
    if (callFrom !== BY_DEFAULT)
      await numbers
        .choose(slug, callFrom)
        .catch((error: unknown) => toast({ text: textOf(error, EDITOR_TEXTS.notCalledFrom), isBad: true }))
    void navigate({ to: '/visitors/$slug', params: { slug } })
  }
  return (
    <EditorsOnly title={EDITOR_TEXTS.addTitle} icon="visitors" texts={EDITOR_TEXTS}>
      <Screen title={EDITOR_TEXTS.addTitle}>
        <VisitorForm
          visitor={EMPTY}
          sent={EDITOR_TEXTS.add}
          keepsListed
          callFrom={numbers.choices}
          send={add}
        />
      </Screen>
    </EditorsOnly>
  )
}
