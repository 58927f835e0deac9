import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { useOperator } from '../office/use-operator.js'
import { Button } from '../ui/button.js'
import { Skeleton } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { toast } from '../ui/toast.js'
import { useCallFrom } from './call-from.js'
import { linksOf } from './links-of.js'
import { EDITOR_TEXTS, VISITORS_TEXTS } from './texts.js'
import { useVisitorChanges } from './use-visitor-changes.js'
import { type VisitorDraft, VisitorForm } from './visitor-form.js'

const KnowledgePanel = lazy(() => import('../knowledge/knowledge-panel.js'))
const ShareDialog = lazy(() => import('./share-dialog.js'))

/** One visitor, to look at and to change. */
export default function VisitorScreen() {
  const { slug } = useParams({ from: '/visitors/$slug' })
  const { mayChange } = useOperator()
  const office = useOffice()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const changes = useVisitorChanges()
  const numbers = useCallFrom(slug)
  const [shared, share] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: ['visitors', 'one', slug],
    queryFn: () => office.visitors.show({ slug }),
  })
  if (error && !data)
    return (
      <Screen title={slug}>
        <LoadFailed error={error} retry={refetch} />
      </Screen>
    )
  if (!data)
    return (
      <Screen title={slug}>
        <Skeleton lines={8} />
      </Screen>
    )
  const before: VisitorDraft = {
    slug: data.slug,
    name: data.name,
    system: data.system ?? '',
    firstMessage: data.first_message ?? '',
    listed: data.listed ?? false,
    callFrom: numbers.value,
  }
  const save = async ({ callFrom, ...draft }: VisitorDraft) => {
    const changed = Object.fromEntries(
      Object.entries(draft).filter(([field, value]) => value !== Reflect.get(before, field)),
    )
    if (callFrom !== numbers.value) {
      await numbers.choose(slug, callFrom)
      if (Object.keys(changed).length === 0) toast({ text: EDITOR_TEXTS.saved(draft.name) })
    }
    if (Object.keys(changed).length === 0) return
    const { undoId, ...saved } = await office.visitors.update({ slug, changes: changed })
    await queries.invalidateQueries({ queryKey: ['visitors'] })
    toast({ text: EDITOR_TEXTS.saved(saved.name), ...changes.undo(undoId) })
    if (saved.slug !== slug)
      void navigate({ to: '/visitors/$slug', params: { slug: saved.slug }, replace: true })
  }
  const openShare = async () => {
    try {
      const [link] = await linksOf(office, [data.slug])
      share(link)
    } catch (failure) {
      toast({ text: textOf(failure, VISITORS_TEXTS.failed), isBad: true })
    }
  }
  return (
    <Screen
      title={data.name}
      actions={
        <>
          <Button icon="link" onClick={() => void openShare()}>
            {VISITORS_TEXTS.share}
          </Button>
          <Button
            icon="timeline"
            onClick={() => void navigate({ to: '/timeline/$slug', params: { slug: data.slug } })}
          >
            {VISITORS_TEXTS.timeline}
          </Button>
          {mayChange && (
            <Button
              look="danger"
              icon="remove"
              onClick={() =>
                void changes
                  .remove(data.slug, data.name)
                  .then((removed) => removed && navigate({ to: '/visitors' }))
              }
            >
              {VISITORS_TEXTS.remove}
            </Button>
          )}
        </>
      }
    >
      <VisitorForm
        key={slug}
        visitor={before}
        sent={EDITOR_TEXTS.save}
        keepsListed={data.listed !== undefined}
        callFrom={numbers.choices}
        isReadOnly={!mayChange}
        send={save}
      />
      <div className="panels">
        <Suspense fallback={<Skeleton lines={2} />}>
          <KnowledgePanel key={data.slug} slug={data.slug} mayChange={mayChange} />
        </Suspense>
      </div>
      {shared !== undefined && (
        <Suspense>
          <ShareDialog
            visitor={{ slug: data.slug, name: data.name, link: shared }}
            close={() => share(undefined)}
          />
        </Suspense>
      )}
    </Screen>
  )
}
