import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Alert } from '../forms/alert.js'
import { EditorsOnly } from '../office/editors-only.js'
import { useOffice } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import { Button, Buttons } from '../ui/button.js'
import { Checkbox } from '../ui/checkbox.js'
import { ProgressBar } from '../ui/progress-bar.js'
import { Screen } from '../ui/screen.js'
import { toast } from '../ui/toast.js'
import './visitors.css'
import { ColumnMapping } from './column-mapping.js'
import { type FileColumn, type ImportPreview, rowsToStore, sumsOf } from './import-rows.js'
import { ImportTable } from './import-table.js'
import { type StoredImport, storeRows } from './store-rows.js'
import { EDITOR_TEXTS, IMPORT_TEXTS, VISITORS_TEXTS } from './texts.js'
import { useVisitorChanges } from './use-visitor-changes.js'

const LONGEST_FILE = 10_000_000

/** A file of visitors: which column is what, what is wrong with which row, and then all of it at once. */
export default function ImportScreen() {
  return (
    <EditorsOnly title={IMPORT_TEXTS.title} icon="visitors" texts={EDITOR_TEXTS}>
      <Import />
    </EditorsOnly>
  )
}

function Import() {
  const office = useOffice()
  const changes = useVisitorChanges()
  const navigate = useNavigate()
  const [csv, setCsv] = useState<string>()
  const [isPrivate, setPrivate] = useState(false)
  const [replaces, setReplaces] = useState(false)
  const [preview, setPreview] = useState<ImportPreview>()
  const [failure, setFailure] = useState<string>()
  const [progress, setProgress] = useState<number>()
  const [stored, setStored] = useState<StoredImport>()

  async function look(given: { csv: string; columns?: (FileColumn | null)[]; private: boolean }) {
    setFailure(undefined)
    try {
      setPreview(await office.visitors.previewImport(given))
    } catch (error) {
      setPreview(undefined)
      setFailure(textOf(error, VISITORS_TEXTS.failed))
    }
  }
  async function choose(file: File | undefined) {
    if (!file) return
    if (file.size > LONGEST_FILE) return setFailure(IMPORT_TEXTS.tooLarge)
    const text = await readUtf8(file)
    if (text === undefined) return setFailure(IMPORT_TEXTS.notUtf8)
    setCsv(text)
    await look({ csv: text, private: isPrivate })
  }
  async function store() {
    if (!preview) return
    setFailure(undefined)
    setProgress(0)
    try {
      const rows = rowsToStore(preview.rows, replaces)
      setStored(await storeRows(office, rows, { columns: preview.columns, replaces, progress: setProgress }))
    } catch (error) {
      setFailure(textOf(error, VISITORS_TEXTS.failed))
    }
    setProgress(undefined)
    await changes.freshen()
  }

  async function takeBack(id: string) {
    try {
      await changes.takeBack(id)
      setStored(undefined)
      toast({ text: IMPORT_TEXTS.undone })
    } catch (error) {
      setFailure(textOf(error, VISITORS_TEXTS.failed))
    }
  }

  const undoId = stored?.undoId
  if (stored)
    return (
      <Screen title={IMPORT_TEXTS.title}>
        <p role="status">{IMPORT_TEXTS.done(stored.added, stored.replaced)}</p>
        <Buttons>
          <Button look="primary" icon="copy" onClick={() => void changes.copyLinksOf(stored.slugs)}>
            {IMPORT_TEXTS.copyLinks}
          </Button>
          {undoId && <Button onClick={() => void takeBack(undoId)}>{IMPORT_TEXTS.undo}</Button>}
          <Button onClick={() => void navigate({ to: '/visitors' })}>{IMPORT_TEXTS.toVisitors}</Button>
        </Buttons>
        {failure && <Alert>{failure}</Alert>}
      </Screen>
    )
  const count = preview ? rowsToStore(preview.rows, replaces).length : 0
  const sums = preview && sumsOf(preview.rows)
  return (
    <Screen title={IMPORT_TEXTS.title} intro={IMPORT_TEXTS.intro}>
      <div className="import-choices">
        <label className="labelled">
          <span className="label">{IMPORT_TEXTS.file}</span>
          <input
            type="file"
            className="input"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        </label>
        <Checkbox
          label={IMPORT_TEXTS.isPrivate}
          hint={IMPORT_TEXTS.isPrivateHint}
          checked={isPrivate}
          onChange={({ target }) => {
            setPrivate(target.checked)
            if (csv !== undefined && preview)
              void look({ csv, columns: preview.columns, private: target.checked })
          }}
        />
        <Checkbox
          label={IMPORT_TEXTS.replace}
          hint={IMPORT_TEXTS.replaceHint}
          checked={replaces}
          onChange={({ target }) => setReplaces(target.checked)}
        />
      </div>
      {failure && <Alert>{failure}</Alert>}
      {preview && csv !== undefined && (
        <>
          <ColumnMapping
            header={preview.header}
            columns={preview.columns}
            choose={(columns) => void look({ csv, columns, private: isPrivate })}
          />
          <div className="toolbar">
            <Button
              look="primary"
              icon="upload"
              isBusy={progress !== undefined || count === 0}
              onClick={() => void store()}
            >
              {IMPORT_TEXTS.store(count)}
            </Button>
            {sums && <p role="status">{IMPORT_TEXTS.summary(sums.good, sums.bad, sums.stored)}</p>}
          </div>
          {progress !== undefined && (
            <ProgressBar
              label={IMPORT_TEXTS.storing}
              done={progress}
              total={count}
              said={IMPORT_TEXTS.stored(progress, count)}
            />
          )}
          <ImportTable rows={preview.rows} change={(rows) => setPreview({ ...preview, rows })} />
        </>
      )}
    </Screen>
  )
}

/** Undefined where it is none. */
async function readUtf8(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    return undefined
  }
}
