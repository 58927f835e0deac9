import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLive } from '../live/use-live.js'
import { StepUpProvider } from '../step-up/step-up-provider.js'
import { useSettled } from '../ui/use-settled.js'
import type { Factor, Operator } from '../wire/session-wire.js'
import { CallSwitch } from './call-switch.js'
import { Navigation } from './navigation.js'
import { OperatorMenu } from './operator-menu.js'
import { ReachBar } from './reach-bar.js'
import { SHELL_TEXTS } from './texts.js'
import { useKeys } from './use-keys.js'

/** What the first screen does not show comes once it stands. */
const ToastList = lazy(() => import('../ui/toast-list.js'))
const loadPalette = () => import('./palette.js')
const Palette = lazy(loadPalette)
const loadMenus = () => Promise.all([import('./operator-entries.js'), import('./more-places.js')])
const KeysDialog = lazy(() => import('./keys-dialog.js'))

/** What stands around every place: where to go, whether calls are placed, who is signed in. */
export function Shell({
  operator,
  factors,
  signOut,
}: {
  operator: Operator
  /** The operator's own second factors: one of them proves that it is still they, or their password where they have none. */
  factors: Factor[]
  signOut(): Promise<unknown>
}) {
  const [opened, setOpened] = useState<'palette' | 'keys'>()
  // What is typed before the palette's field stands is put in it.
  const [asked, ask] = useState('')
  const keys = useKeys(
    (action) => setOpened(action),
    opened === 'palette' ? (typed) => ask((before) => before + typed) : undefined,
  )
  const hasSettled = useSettled()
  useEffect(() => {
    // Whoever presses Ctrl+K goes on typing at once.
    if (hasSettled) void Promise.all([loadPalette(), loadMenus()])
  }, [hasSettled])
  useLive()
  const close = () => {
    setOpened(undefined)
    ask('')
  }
  return (
    <StepUpProvider factors={factors}>
      <button type="button" className="skip" onClick={skip}>
        {SHELL_TEXTS.skip}
      </button>
      <div className="shell">
        <Navigation
          search={() => setOpened('palette')}
          foot={
            <>
              <CallSwitch mayChange={operator.role !== 'viewer'} />
              <OperatorMenu operator={operator} signOut={signOut} showKeys={() => setOpened('keys')} />
            </>
          }
        />
        <div className="content" id="content">
          <ReachBar />
          <Outlet />
        </div>
      </div>
      <Suspense>{hasSettled && <ToastList />}</Suspense>
      <Suspense>
        {opened === 'palette' && (
          <Palette
            text={asked}
            setText={ask}
            close={close}
            mayChangeCalls={operator.role !== 'viewer'}
            signOut={signOut}
            showKeys={() => setOpened('keys')}
          />
        )}
        {opened === 'keys' && <KeysDialog close={close} keys={keys} />}
      </Suspense>
    </StepUpProvider>
  )
}

function skip(): void {
  document.querySelector<HTMLElement>('#content h1')?.focus()
}
