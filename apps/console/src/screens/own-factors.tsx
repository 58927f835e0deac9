import { useState } from 'react'
import { Action } from '../forms/action.js'
import { Alert } from '../forms/alert.js'
import { Button } from '../forms/button.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import { Time } from '../ui/time.js'
import type { Factor } from '../wire/session-wire.js'

export function OwnFactors({
  session,
  factors,
  hasRecoveryCodes,
}: {
  session: OperatorSession
  factors: Factor[]
  hasRecoveryCodes: boolean
}) {
  const [removing, setRemoving] = useState<string>()
  const [kept, setKept] = useState<string>()
  return (
    <section>
      <h2>{TEXTS.factors}</h2>
      {factors.length === 0 && <p>{TEXTS.noFactors}</p>}
      {factors.length > 0 && (
        <ul className="rows">
          {factors.map((factor) => (
            <li key={factor.id}>
              {removing === factor.id ? (
                <Removal
                  session={session}
                  factor={factor}
                  isLast={factors.length === 1 && hasRecoveryCodes}
                  keep={() => {
                    setKept(factor.id)
                    setRemoving(undefined)
                  }}
                />
              ) : (
                <FactorRow
                  factor={factor}
                  isKept={kept === factor.id}
                  remove={() => setRemoving(factor.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button kind="plain" press={() => session.show({ name: 'add-factor', isNeeded: false })}>
          {TEXTS.add}
        </Button>
        {hasRecoveryCodes && factors.length > 0 && (
          <Action run={() => session.newRecoveryCodes()}>{TEXTS.newCodes}</Action>
        )}
      </div>
      {hasRecoveryCodes && factors.length > 0 && <p className="hint">{TEXTS.newCodesHint}</p>}
    </section>
  )
}

const nameOf = ({ name, type }: Factor) => name || TEXTS.kinds[type]

function FactorRow({ factor, isKept, remove }: { factor: Factor; isKept: boolean; remove(): void }) {
  return (
    <>
      <div>
        <p>{nameOf(factor)}</p>
        <p className="hint">
          {TEXTS.kinds[factor.type]} · {TEXTS.added} <Time at={factor.addedAt} />
        </p>
      </div>
      <Button kind="plain" takesFocus={isKept} label={TEXTS.removeNamed(nameOf(factor))} press={remove}>
        {TEXTS.remove}
      </Button>
    </>
  )
}

/** Asks before it is removed: nothing brings it back. */
function Removal({
  session,
  factor,
  isLast,
  keep,
}: {
  session: OperatorSession
  factor: Factor
  isLast: boolean
  keep(): void
}) {
  return (
    <div>
      <Alert>
        {TEXTS.removeSure(nameOf(factor))} {isLast && TEXTS.removeLast}
      </Alert>
      <div className="row">
        <Button kind="plain" takesFocus press={keep}>
          {TEXTS.keep}
        </Button>
        <Action label={TEXTS.removeNamed(nameOf(factor))} run={() => session.removeFactor(factor.id)}>
          {TEXTS.remove}
        </Action>
      </div>
    </div>
  )
}
