import { lazy, Suspense, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { Button, Buttons } from '../ui/button.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { EndpointRow } from './endpoint-row.js'
import './endpoints.css'
import { ENDPOINT_TEXTS as TEXTS } from './texts.js'
import { type Endpoint, useEndpoints } from './use-endpoints.js'

const EndpointDialog = lazy(() => import('./endpoint-dialog.js'))
const SecretDialog = lazy(() => import('./secret-dialog.js'))
const LogDialog = lazy(() => import('./log-dialog.js'))

/** Whom to tell what happens. Owners say who; editors test, and send again. */
export function Notifications({ isOwner }: { isOwner: boolean }) {
  const endpoints = useEndpoints()
  const [isAdding, setAdding] = useState(false)
  const [edited, edit] = useState<Endpoint>()
  const [logged, showLog] = useState<Endpoint>()
  const { data, error, refetch } = endpoints.list
  return (
    <Panel title={TEXTS.title} intro={TEXTS.intro}>
      {error && !data && <LoadFailed error={error} retry={refetch} />}
      {!error && !data && <Skeleton lines={3} />}
      {data?.length === 0 && <p>{isOwner ? TEXTS.none : TEXTS.noneEditor}</p>}
      {data && data.length > 0 && (
        <ul className="endpoints">
          {data.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              actions={isOwner ? endpoints : undefined}
              edit={() => edit(endpoint)}
              showLog={() => showLog(endpoint)}
            />
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
      <Suspense>
        {isAdding && <EndpointDialog close={() => setAdding(false)} save={endpoints.add} />}
        {edited && (
          <EndpointDialog
            endpoint={edited}
            close={() => edit(undefined)}
            save={({ kind: _, ...change }) => endpoints.update(edited.id, change)}
          />
        )}
        {endpoints.shown && <SecretDialog shown={endpoints.shown} close={endpoints.forget} />}
        {logged && <LogDialog endpoint={logged} close={() => showLog(undefined)} />}
      </Suspense>
    </Panel>
  )
}
