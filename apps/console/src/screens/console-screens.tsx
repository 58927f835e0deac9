import { useSyncExternalStore } from 'react'
import { Action } from '../forms/action.js'
import { Alert } from '../forms/alert.js'
import type { OperatorSession } from '../session/operator-session.js'
import type { ConsoleSettings } from '../settings.js'
import { TEXTS } from '../texts.js'
import { AddFactor } from './add-factor.js'
import { Home } from './home.js'
import { Forgotten, Link, NewPassword } from './passwords.js'
import { RecoveryCodes } from './recovery-codes.js'
import { ScreenFrame } from './screen-frame.js'
import { SecondFactor } from './second-factor.js'
import { SetUp, SignIn } from './sign-in.js'
import { StepUp } from './step-up.js'

interface ConsoleProps {
  session: OperatorSession
  settings: ConsoleSettings
}

/** The screen that is next. */
export function ConsoleScreens({ session, settings }: ConsoleProps) {
  const screen = useSyncExternalStore(session.subscribe, session.get)
  switch (screen.name) {
    case 'opening':
      return (
        <main className="screen">
          <p className="hint">{TEXTS.loading}</p>
        </main>
      )
    case 'sign-in':
      return <SignIn session={session} notice={screen.notice} setupNeeded={screen.setupNeeded ?? false} />
    case 'set-up':
      return <SetUp key={screen.opened} session={session} code={screen.code} />
    case 'link':
      return <Link key={screen.opened} session={session} type={screen.type} tokenHash={screen.tokenHash} />
    case 'new-password':
      return <NewPassword session={session} email={screen.email} />
    case 'forgotten':
      return <Forgotten session={session} />
    case 'second-factor':
      return <SecondFactor session={session} factors={screen.factors} hasRecoveryCodes={settings.additions} />
    case 'step-up':
      return <StepUp session={session} email={screen.email} factors={screen.factors} />
    case 'add-factor':
      return <AddFactor session={session} isNeeded={screen.isNeeded} hasPhones={settings.phoneFactors} />
    case 'recovery-codes':
      return <RecoveryCodes session={session} codes={screen.codes} />
    case 'not-an-operator':
      return <Stopped session={session} title={TEXTS.notAnOperator} text={TEXTS.notAnOperatorText} />
    case 'unreached':
      return <Stopped session={session} title={TEXTS.unreached} text={screen.failure.text} />
    case 'home':
      return (
        <Home
          session={session}
          operator={screen.operator}
          factors={screen.factors}
          hasAdditions={settings.additions}
        />
      )
  }
}

/** Somebody is signed in, and cannot go on for now. */
function Stopped({ session, title, text }: { session: OperatorSession; title: string; text: string }) {
  return (
    <ScreenFrame title={title}>
      <Alert>{text}</Alert>
      <div className="row">
        <Action run={() => session.enter()}>{TEXTS.again}</Action>
        <Action kind="quiet" run={() => session.signOut()}>
          {TEXTS.signOut}
        </Action>
      </div>
    </ScreenFrame>
  )
}
