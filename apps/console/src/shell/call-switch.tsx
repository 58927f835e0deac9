import { Button } from '../ui/button.js'
import { SHELL_TEXTS } from './texts.js'
import { useCallSwitch } from './use-call-switch.js'

/** Whether calls are placed, on every screen, and one press that stops them or lets them go on. */
export function CallSwitch({ mayChange }: { mayChange: boolean }) {
  const { state, said, inFlight, isBusy, turn } = useCallSwitch()
  return (
    <section className="call-switch" aria-label={SHELL_TEXTS.callsState} data-state={state}>
      <p role="status">
        <span>
          <span className="calls-are">{SHELL_TEXTS.callsAre}</span>{' '}
          <span className="calls-state">{said}</span>{' '}
          {inFlight > 0 && <span className="number">{SHELL_TEXTS.running(inFlight)}</span>}
        </span>
      </p>
      {mayChange && state !== 'unknown' && (
        <Button icon={state === 'on' ? 'pause' : 'play'} isBusy={isBusy} onClick={turn}>
          {state === 'on' ? SHELL_TEXTS.pause : SHELL_TEXTS.resume}
        </Button>
      )}
    </section>
  )
}
