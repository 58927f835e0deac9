import { useState } from 'react'
import { Dialog } from '../ui/dialog.js'
import { Select } from '../ui/select.js'
import type { Factor } from '../wire/session-wire.js'
import { PhoneProof } from './phone-proof.js'
import { ProofForm } from './proof-form.js'
import type { StepUp } from './step-up.js'
import { STEP_UP_TEXTS } from './texts.js'

/** Asks for the code of a second factor, or for the password of who has none. */
export default function StepUpDialog({ stepUp, factors }: { stepUp: StepUp; factors: Factor[] }) {
  const [chosenId, choose] = useState<string>()
  const factor = factors.find(({ id }) => id === chosenId) ?? factors[0]
  return (
    <Dialog title={STEP_UP_TEXTS.title} intro={STEP_UP_TEXTS.intro} close={() => stepUp.cancel()}>
      {factor && factors.length > 1 && (
        <Select
          label={STEP_UP_TEXTS.which}
          options={factors.map(({ id, name, type }) => ({
            value: id,
            label: name || STEP_UP_TEXTS.kinds[type],
          }))}
          value={factor.id}
          choose={choose}
        />
      )}
      {factor ? (
        <FactorProof key={factor.id} stepUp={stepUp} factor={factor} />
      ) : (
        <ProofForm stepUp={stepUp} kind="password" proofOf={(password) => ({ password })} />
      )}
    </Dialog>
  )
}

function FactorProof({ stepUp, factor: { id, type } }: { stepUp: StepUp; factor: Factor }) {
  if (type === 'phone') return <PhoneProof stepUp={stepUp} factorId={id} />
  return (
    <ProofForm
      stepUp={stepUp}
      kind="code"
      hint={STEP_UP_TEXTS.appHint}
      proofOf={(code) => ({ factorId: id, code })}
    />
  )
}
