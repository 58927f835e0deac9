import { systemClock } from '@heyline/kit/clock'
import { lazy, Suspense, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { ROLE_WORDS, type Role } from '../office/roles.js'
import { Button } from '../ui/button.js'
import { Skeleton } from '../ui/placeholders.js'
import { SureButton } from '../ui/sure-button.js'
import { Time } from '../ui/time.js'
import { isExpired } from './key-life.js'
import { API_KEY_TEXTS as TEXTS } from './texts.js'
import { type ApiKey, useApiKeys } from './use-api-keys.js'

const AddKeyDialog = lazy(() => import('./add-key-dialog.js'))
const NewKeyDialog = lazy(() => import('./new-key-dialog.js'))

/** The keys for the operator's own tools. `role` is the operator's own. */
export function ApiKeys({ role }: { role: Role }) {
  const keys = useApiKeys()
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = keys.list
  return (
    <section aria-label={TEXTS.title}>
      <h2>{TEXTS.title}</h2>
      <p className="hint">{TEXTS.intro}</p>
      {error && !data && <LoadFailed error={error} retry={refetch} />}
      {!error && !data && <Skeleton lines={2} />}
      {data?.length === 0 && <p>{TEXTS.none}</p>}
      {data && data.length > 0 && (
        <ul className="rows">
          {data.map((key) => (
            <li key={key.id}>
              <KeyText apiKey={key} />
              <SureButton
                icon="remove"
                label={TEXTS.revokeNamed(key.name)}
                sure={TEXTS.revokeSure}
                isBusy={keys.revoking === key.id}
                onSure={() => void keys.revoke(key)}
              >
                {TEXTS.revoke}
              </SureButton>
            </li>
          ))}
        </ul>
      )}
      <Button icon="add" onClick={() => setAdding(true)}>
        {TEXTS.add}
      </Button>
      <Suspense>
        {isAdding && <AddKeyDialog ownRole={role} close={() => setAdding(false)} add={keys.add} />}
        {keys.shown && <NewKeyDialog made={keys.shown} close={keys.forget} />}
      </Suspense>
    </section>
  )
}

function KeyText({ apiKey: { name, role, expiresAt, lastUsedAt } }: { apiKey: ApiKey }) {
  return (
    <div>
      <p>{name}</p>
      <p className="hint">
        {ROLE_WORDS[role]} · {isExpired(expiresAt, systemClock.now()) ? TEXTS.expired : TEXTS.expires}{' '}
        <Time at={expiresAt} />
      </p>
      <p className="hint">
        {lastUsedAt === null ? (
          TEXTS.neverUsed
        ) : (
          <>
            {TEXTS.lastUsed} <Time at={lastUsedAt} />
          </>
        )}
      </p>
    </div>
  )
}
