import { type ErrorComponentProps, useNavigate } from '@tanstack/react-router'
import { Button, Buttons } from '../ui/button.js'
import { Screen } from '../ui/screen.js'
import { SHELL_TEXTS } from './texts.js'

/** How Chromium, Firefox, Safari and Vite say that a chunk did not come. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

/** In place of a screen that threw: what to do now. A chunk that is gone, as after an update, needs a load too. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const isMissing = NOT_LOADED.test(String(error))
  return (
    <Screen title={SHELL_TEXTS.failed} intro={isMissing ? SHELL_TEXTS.notLoadedText : SHELL_TEXTS.failedText}>
      {!isMissing && <p className="blame">{String(error)}</p>}
      <Buttons>
        <Button look="primary" onClick={() => location.reload()}>
          {SHELL_TEXTS.reload}
        </Button>
        <Button
          onClick={() => {
            history.back()
            reset()
          }}
        >
          {SHELL_TEXTS.back}
        </Button>
      </Buttons>
    </Screen>
  )
}

/** An address that leads nowhere. */
export function LostScreen() {
  const navigate = useNavigate()
  return (
    <Screen title={SHELL_TEXTS.lost} intro={SHELL_TEXTS.lostText}>
      <Buttons>
        <Button look="primary" onClick={() => void navigate({ to: '/visitors' })}>
          {SHELL_TEXTS.toVisitors}
        </Button>
      </Buttons>
    </Screen>
  )
}
