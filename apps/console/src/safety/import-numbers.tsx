import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { Blame } from '../ui/blame.js'
import { Button } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import { PlainTable } from './plain-table.js'
import { DO_NOT_CALL_TEXTS } from './texts.js'

/** A file of numbers: first what it holds, line by line where something is wrong; then its good numbers are stored, all or none. */
export function ImportNumbers() {
  const office = useOffice()
  const queries = useQueryClient()
  const chooser = useRef<HTMLInputElement>(null)
  const reading = useMutation({
    mutationFn: async (file: File) => office.doNotCall.previewImport({ csv: await file.text() }),
  })
  const storing = useMutation({
    mutationFn: (numbers: string[]) => office.doNotCall.import({ numbers }),
    onSuccess({ added }) {
      reading.reset()
      toast({ text: DO_NOT_CALL_TEXTS.stored(added) })
      void queries.invalidateQueries({ queryKey: ['calls', 'do-not-call'] })
    },
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (file) reading.mutate(file)
    // The same file again is a change, too: somebody has mended it.
    event.target.value = ''
  }
  const error = reading.error ?? storing.error
  const preview = reading.data
  return (
    <section className="import-numbers" aria-label={DO_NOT_CALL_TEXTS.import}>
      <input
        ref={chooser}
        className="unseen"
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        aria-label={DO_NOT_CALL_TEXTS.file}
        tabIndex={-1}
        onChange={choose}
      />
      <Button icon="upload" isBusy={reading.isPending} onClick={() => chooser.current?.click()}>
        {DO_NOT_CALL_TEXTS.import}
      </Button>
      <p className="hint">{DO_NOT_CALL_TEXTS.importHint}</p>
      {error && <Blame>{textOf(error, DO_NOT_CALL_TEXTS.notDone)}</Blame>}
      {preview && (
        <div className="panel safety-panel" role="status">
          <p>{DO_NOT_CALL_TEXTS.good(preview.numbers.length, preview.listed)}</p>
          {preview.badCount > 0 && <BadLines bad={preview.bad} count={preview.badCount} />}
          {preview.numbers.length > 0 && (
            <Button look="primary" isBusy={storing.isPending} onClick={() => storing.mutate(preview.numbers)}>
              {DO_NOT_CALL_TEXTS.store(preview.numbers.length)}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function BadLines({ bad, count }: { bad: readonly { line: number; reason: string }[]; count: number }) {
  const said = DO_NOT_CALL_TEXTS.bad(count)
  const rows = bad.map(({ line, reason }) => ({ id: `${line} ${reason}`, cells: [line, reason] }))
  return (
    <div>
      <p>{said}</p>
      <PlainTable
        label={said}
        heads={[{ text: DO_NOT_CALL_TEXTS.line }, { text: DO_NOT_CALL_TEXTS.reason }]}
        rows={rows}
      />
    </div>
  )
}
