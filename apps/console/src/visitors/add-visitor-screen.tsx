import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useOffice } from '../office/office.js'
import { Screen } from '../ui/screen.js'
import { toast } from '../ui/toast.js'
import { EditorsOnly } from './editors-only.js'
import { EDITOR_TEXTS } from './texts.js'
import { type VisitorDraft, VisitorForm } from './visitor-form.js'

const EMPTY: VisitorDraft = { slug: '', name: '', system: '', firstMessage: '', listed: false }

/** A new visitor. */
export default function AddVisitorScreen() {
  const office = useOffice()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const add = async (draft: VisitorDraft) => {
    const { slug, name } = await office.visitors.add(draft)
    await queries.invalidateQueries({ queryKey: ['visitors'] })
    toast({ text: EDITOR_TEXTS.added(name) })
    void navigate({ to: '/visitors/$slug', params: { slug } })
  }
  return (
    <EditorsOnly title={EDITOR_TEXTS.addTitle}>
      <Screen title={EDITOR_TEXTS.addTitle}>
        <VisitorForm visitor={EMPTY} sent={EDITOR_TEXTS.add} keepsListed send={add} />
      </Screen>
    </EditorsOnly>
  )
}
