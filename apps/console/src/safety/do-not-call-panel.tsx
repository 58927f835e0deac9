import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { useOperator } from '../office/use-operator.js'
import { usePages } from '../office/use-pages.js'
import { Button } from '../ui/button.js'
import { NumberField } from '../ui/number-field.js'
import { EmptyState, Skeleton } from '../ui/placeholders.js'
import { toast } from '../ui/toast.js'
import { RelativeTime } from '../ui/values.js'
import { ImportNumbers } from './import-numbers.js'
import { PlainTable } from './plain-table.js'
import { DO_NOT_CALL_TEXTS } from './texts.js'

/** The numbers that are never called. Whoever may see no number in full sees none of them. */
export function DoNotCallPanel() {
  const { mayChange } = useOperator()
  if (!mayChange) return <p className="hint">{DO_NOT_CALL_TEXTS.viewer}</p>
  return (
    <div className="panel safety-panel">
      <AddNumber />
      <ImportNumbers />
      <NumberList />
    </div>
  )
}

const LIST = ['calls', 'do-not-call']
const PAGE_SIZE = 100

function AddNumber() {
  const office = useOffice()
  const queries = useQueryClient()
  const [number, setNumber] = useState('')
  const adding = useMutation({
    mutationFn: () => office.doNotCall.add({ numbers: [number] }),
    onSuccess({ added }) {
      setNumber('')
      toast({ text: DO_NOT_CALL_TEXTS.added(added) })
      void queries.invalidateQueries({ queryKey: LIST })
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate()
  }
  return (
    <form className="one-line" onSubmit={send}>
      <NumberField
        label={DO_NOT_CALL_TEXTS.add}
        hint={DO_NOT_CALL_TEXTS.addHint}
        number={number}
        change={setNumber}
        error={adding.error ? textOf(adding.error, DO_NOT_CALL_TEXTS.notDone) : undefined}
      />
      <Button type="submit" icon="add" isBusy={adding.isPending}>
        {DO_NOT_CALL_TEXTS.add}
      </Button>
    </form>
  )
}

function NumberList() {
  const office = useOffice()
  const queries = useQueryClient()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages({
    queryKey: LIST,
    load: (after) => office.doNotCall.list({ limit: PAGE_SIZE, after }),
  })
  const freshen = () => queries.invalidateQueries({ queryKey: LIST })
  const removing = useMutation({
    mutationFn: (number: string) => office.doNotCall.remove({ number }),
    onSuccess: (_, number) =>
      toast({
        text: DO_NOT_CALL_TEXTS.removed,
        undo: () => office.doNotCall.add({ numbers: [number] }).then(freshen),
      }),
    onError: (failure) => toast({ text: textOf(failure, DO_NOT_CALL_TEXTS.notDone), isBad: true }),
    onSettled: freshen,
  })
  if (!data) return error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={6} />
  const numbers = data.pages.flatMap((page) => page.numbers)
  if (numbers.length === 0)
    return <EmptyState icon="safety" title={DO_NOT_CALL_TEXTS.none} text={DO_NOT_CALL_TEXTS.noneText} />
  const rows = numbers.map(({ phone, source, addedAt }) => ({
    id: phone,
    cells: [
      phone,
      DO_NOT_CALL_TEXTS.sources[source],
      <RelativeTime key="when" at={addedAt} />,
      <Button
        key="remove"
        look="quiet"
        icon="remove"
        aria-label={DO_NOT_CALL_TEXTS.removeOf(phone)}
        onClick={() => removing.mutate(phone)}
      >
        {DO_NOT_CALL_TEXTS.remove}
      </Button>,
    ],
  }))
  return (
    <section>
      <h2>{DO_NOT_CALL_TEXTS.list}</h2>
      <PlainTable label={DO_NOT_CALL_TEXTS.list} heads={HEADS} rows={rows} />
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {DO_NOT_CALL_TEXTS.more}
        </Button>
      )}
    </section>
  )
}

const HEADS = [
  { text: DO_NOT_CALL_TEXTS.number },
  { text: DO_NOT_CALL_TEXTS.source },
  { text: DO_NOT_CALL_TEXTS.when },
  { text: DO_NOT_CALL_TEXTS.change },
]
