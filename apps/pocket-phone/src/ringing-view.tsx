import { useEffect } from 'react'
import { Caller } from './caller.js'
import { Icon } from './icons.js'
import type { Ring } from './phone.js'
import type { PocketPhone } from './pocket-phone.js'
import { startRinging } from './ring-tone.js'
import { TEXTS } from './texts.js'
import { useFocus } from './use-focus.js'
import { startVibrating } from './vibration.js'

/** Somebody calls. */
export function RingingView({ ring, name, phone }: { ring: Ring; name: string; phone: PocketPhone }) {
  const answer = useFocus<HTMLButtonElement>()
  useEffect(startRinging, [])
  useEffect(startVibrating, [])
  return (
    <section className="ringing" aria-label={TEXTS.incoming}>
      <Caller name={name} number={ring.from} />
      <p className="callee">{TEXTS.callTo(ring.to)}</p>
      <div className="actions">
        <button type="button" className="round decline" onClick={() => phone.decline()}>
          <Icon name="handset" />
          <span>{TEXTS.decline}</span>
        </button>
        <button
          type="button"
          className="round answer"
          ref={answer}
          aria-describedby="caller-name caller-number"
          onClick={() => phone.answer()}
        >
          <Icon name="handset" />
          <span>{TEXTS.answer}</span>
        </button>
      </div>
    </section>
  )
}
