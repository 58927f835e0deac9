import { lazy, Suspense, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { Badge } from '../ui/badge.js'
import { Button, Buttons } from '../ui/button.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { SureButton } from '../ui/sure-button.js'
import '../endpoints/endpoints.css'
import { NUMBER_TEXTS as TEXTS } from './texts.js'
import { type OwnNumber, useNumbers, wordOf } from './use-numbers.js'

const AddNumberDialog = lazy(() => import('./add-number-dialog.js'))

/** The numbers that calls are made from. Owners choose them. */
export function Numbers({ isOwner }: { isOwner: boolean }) {
  const numbers = useNumbers()
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = numbers.list
  return (
    <Panel title={TEXTS.title} intro={TEXTS.intro}>
      {error && !data && <LoadFailed error={error} retry={refetch} />}
      {!error && !data && <Skeleton lines={2} />}
      {data?.numbers.length === 0 && <p>{TEXTS.none}</p>}
      {data && data.numbers.length > 0 && (
        <ul className="endpoints">
          {data.numbers.map((number) => (
            <li key={number.id} aria-label={wordOf(number)}>
              <NumberText number={number} />
              {isOwner && !number.isDefault && (
                <Buttons>
                  <Button isBusy={numbers.busy === number.id} onClick={() => void numbers.setDefault(number)}>
                    {TEXTS.makeDefault}
                  </Button>
                  <SureButton
                    icon="remove"
                    sure={TEXTS.removeSure}
                    isBusy={numbers.busy === number.id}
                    onSure={() => void numbers.remove(number)}
                  >
                    {TEXTS.remove}
                  </SureButton>
                </Buttons>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOwner && (
        <Buttons>
          <Button icon="add" onClick={() => setAdding(true)}>
            {TEXTS.add}
          </Button>
        </Buttons>
      )}
      <Suspense>{isAdding && <AddNumberDialog close={() => setAdding(false)} add={numbers.add} />}</Suspense>
    </Panel>
  )
}

function NumberText({ number }: { number: OwnNumber }) {
  const { name, isDefault, visitors, assistantId } = number
  const words = [name, visitors > 0 && TEXTS.visitors(visitors), assistantId !== null && TEXTS.answered]
  return (
    <div>
      <p className="endpoint-name">
        <b>{wordOf(number)}</b>
        {isDefault && <Badge tone="good">{TEXTS.isDefault}</Badge>}
      </p>
      <p className="hint">{words.filter(Boolean).join(' · ')}</p>
    </div>
  )
}
