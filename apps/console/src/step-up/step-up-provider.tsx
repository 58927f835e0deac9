import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useState,
  useSyncExternalStore,
} from 'react'
import { useOffice } from '../office/office.js'
import type { Factor } from '../wire/session-wire.js'
import { StepUp } from './step-up.js'

const StepUpDialog = lazy(() => import('./step-up-dialog.js'))
const StepUpContext = createContext<StepUp['run'] | undefined>(undefined)

/** Has the dialog that asks for a fresh second factor, or for the password of who has none. Once in the document. */
export function StepUpProvider({ factors, children }: { factors: Factor[]; children: ReactNode }) {
  const office = useOffice()
  const [stepUp] = useState(() => new StepUp((proof) => office.session.stepUp(proof)))
  const question = useSyncExternalStore(stepUp.subscribe, stepUp.get)
  return (
    <StepUpContext value={stepUp.run}>
      {children}
      {question && (
        <Suspense>
          <StepUpDialog stepUp={stepUp} factors={factors} />
        </Suspense>
      )}
    </StepUpContext>
  )
}

/**
 * Wraps what may need a fresh second factor.
 *
 * @example
 * const withStepUp = useStepUp()
 * await withStepUp(() => office.operators.remove({ id }))
 */
export function useStepUp(): StepUp['run'] {
  const run = useContext(StepUpContext)
  if (!run)
    throw new Error('Nobody asks for a second factor here: put the component inside of a StepUpProvider')
  return run
}
