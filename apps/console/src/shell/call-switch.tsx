import type { MouseEvent } from 'react'
import { isOfSurprise } from '../ui/arrival.js'
import { Button } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import { SHELL_TEXTS } from './texts.js'
import { useCallSwitch } from './use-call-switch.js'

/** Whether calls are placed, on every screen, and one press that stops them or lets them go on. */
export function CallSwitch({ mayChange }: { mayChange: boolean }) {
  const { state, said, inFlight, isBusy, turn } = useCallSwitch()
  const press = state === 'on' ? SHELL_TEXTS.pause : SHELL_TEXTS.resume
  return (
    <section className="call-switch" aria-label={SHELL_TEXTS.callsState} data-state={state}>
      <p role="status">
        <span>
          <Words {...said} />{' '}
          {inFlight > 0 && <span className="number">{SHELL_TEXTS.running(inFlight)}</span>}
        </span>
      </p>
      {mayChange && state !== 'unknown' && (
        <Button
          icon={state === 'on' ? 'pause' : 'play'}
          isBusy={isBusy}
          aria-label={press.full}
          onClick={(event: MouseEvent) =>
            isOfSurprise(event) ? toast({ about: 'calls', text: SHELL_TEXTS.pressAgain }) : turn()
          }
        >
          <Words {...press} />
        </Button>
      )}
    </section>
  )
}

/** On a phone there is room for the short form only. */
function Words({ full, short }: { full: string; short: string }) {
  return (
    <>
      <span className="call-switch-full">{full}</span>
      <span className="call-switch-short">{short}</span>
    </>
  )
}
