import { useState } from 'react'
import { Action } from '../forms/action.js'
import { Status } from '../forms/alert.js'
import { Choice } from '../forms/choice.js'
import { CopyButton } from '../forms/copy-button.js'
import { CodeField, Field } from '../forms/field.js'
import { Form, type Values } from '../forms/form.js'
import type { OperatorSession } from '../session/operator-session.js'
import { TEXTS } from '../texts.js'
import type { Enrolment, Factor } from '../wire/session-wire.js'
import { ScreenFrame } from './screen-frame.js'

const TYPES: Factor['type'][] = ['totp', 'phone']
const E164 = /^\+[1-9]\d{6,14}$/
const KINDS = TYPES.map((value) => ({ value, label: TEXTS.kinds[value] }))

/** Sets up a second factor: what kind, then its first code. */
export function AddFactor({
  session,
  isNeeded,
  hasPhones,
}: {
  session: OperatorSession
  isNeeded: boolean
  hasPhones: boolean
}) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  return (
    <ScreenFrame key={enrolment?.id} title={TEXTS.addFactor}>
      {enrolment ? (
        <FirstCode session={session} enrolment={enrolment} />
      ) : (
        <>
          <p className="intro">{isNeeded ? TEXTS.addFactorNeeded : TEXTS.addFactorIntro}</p>
          <NewFactor session={session} hasPhones={hasPhones} start={setEnrolment} />
        </>
      )}
      {isNeeded ? (
        <Action kind="quiet" run={() => session.signOut()}>
          {TEXTS.signOut}
        </Action>
      ) : (
        <Action kind="quiet" run={() => session.enter()}>
          {TEXTS.cancel}
        </Action>
      )}
    </ScreenFrame>
  )
}

function NewFactor({
  session,
  hasPhones,
  start,
}: {
  session: OperatorSession
  hasPhones: boolean
  start(enrolment: Enrolment): void
}) {
  const [type, setType] = useState<Factor['type']>('totp')
  async function send(values: Values) {
    const name = values('name').trim()
    const phone = values('phone').replace(/[\s().-]/g, '')
    if (type === 'phone' && !E164.test(phone)) return { field: 'phone', text: TEXTS.phoneMissing }
    const made = await session.enrol(type === 'phone' ? { type, name, phone } : { type, name })
    if ('failure' in made) return made.failure
    start(made.enrolment)
    return undefined
  }
  return (
    <Form button={TEXTS.continue} send={send}>
      {hasPhones && <Choice name="kind" legend={TEXTS.kind} options={KINDS} value={type} choose={setType} />}
      {type === 'phone' && (
        <Field
          name="phone"
          label={TEXTS.phone}
          hint={TEXTS.phoneHint}
          missing={TEXTS.phoneMissing}
          type="tel"
          autoComplete="tel"
          maxLength={40}
        />
      )}
      <Field
        key={type}
        name="name"
        label={TEXTS.name}
        hint={TEXTS.nameHint}
        missing={TEXTS.nameMissing}
        defaultValue={TEXTS.defaultNames[type]}
        autoComplete="off"
        maxLength={64}
      />
    </Form>
  )
}

function FirstCode({ session, enrolment }: { session: OperatorSession; enrolment: Enrolment }) {
  const [{ totp, challengeId }, setEnrolment] = useState(enrolment)
  const [isSentAgain, setSentAgain] = useState(false)
  async function sendAnother() {
    const sent = await session.sendCode(enrolment.id)
    if ('failure' in sent) return sent.failure
    setEnrolment({ ...enrolment, challengeId: sent.challengeId })
    setSentAgain(true)
    return undefined
  }
  return (
    <>
      {totp ? (
        <>
          <p className="intro">{TEXTS.scan}</p>
          <img className="qr-code" src={totp.qrCode} alt={TEXTS.qrCode} width="256" height="256" />
          <dl className="secret">
            <dt>{TEXTS.secret}</dt>
            <dd>
              <code>{totp.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
            </dd>
          </dl>
          <div className="row">
            <CopyButton text={totp.secret} />
            <a href={totp.uri}>{TEXTS.openApp}</a>
          </div>
          <p className="intro">{TEXTS.firstCode}</p>
        </>
      ) : (
        <p className="intro">{TEXTS.phoneFirstCode}</p>
      )}
      <Form
        button={TEXTS.finish}
        send={(values) =>
          session.finishEnrolment(
            { ...enrolment, ...(challengeId !== undefined && { challengeId }) },
            values('code'),
          )
        }
      >
        <CodeField />
      </Form>
      {!totp && (
        <>
          <Status>{isSentAgain && TEXTS.codeSent}</Status>
          <Action run={sendAnother}>{TEXTS.sendAnother}</Action>
        </>
      )}
    </>
  )
}
