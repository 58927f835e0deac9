import { useRef, useState, useSyncExternalStore } from 'react'
import { Caller } from './caller.js'
import { useNow } from './clock.js'
import { Icon } from './icons.js'
import { Keypad } from './keypad.js'
import type { Loudspeaker } from './loudspeaker.js'
import type { PhoneCall } from './phone.js'
import type { PocketPhone } from './pocket-phone.js'
import { durationText, TEXTS } from './texts.js'
import { useFocus } from './use-focus.js'

interface CallViewProps {
  call: PhoneCall
  name: string
  /** Loudness of the caller, 0 to 1. */
  level: number
  phone: PocketPhone
  loudspeaker: Loudspeaker
}

/** A call, from the answer to its end. */
export function CallView({ call, name, level, phone, loudspeaker }: CallViewProps) {
  const hangUp = useFocus<HTMLButtonElement>()
  const keypadButton = useRef<HTMLButtonElement>(null)
  const [hasKeypad, setHasKeypad] = useState(false)
  const closeKeypad = () => {
    setHasKeypad(false)
    keypadButton.current?.focus()
  }
  return (
    <section className="in-call" data-keypad={hasKeypad} aria-label={TEXTS.call}>
      <Caller name={name} number={call.from} />
      <p className="duration">
        {call.talkingSince === undefined ? '' : <Duration since={call.talkingSince} />}
      </p>
      {hasKeypad ? (
        <Keypad onPress={(key) => phone.press(key)} onClose={closeKeypad} />
      ) : (
        <meter className="level" aria-label={TEXTS.level} min={0} max={0.3} value={level} />
      )}
      <div className="controls">
        <button
          type="button"
          className="control"
          aria-pressed={call.isMuted ?? false}
          onClick={() => phone.setMuted(!call.isMuted)}
        >
          <Icon name={call.isMuted ? 'muted' : 'microphone'} />
          <span>{TEXTS.mute}</span>
        </button>
        <button
          type="button"
          className="control"
          ref={keypadButton}
          aria-expanded={hasKeypad}
          aria-controls={hasKeypad ? 'keypad' : undefined}
          disabled={call.stage !== 'talking'}
          onClick={() => setHasKeypad(!hasKeypad)}
        >
          <Icon name="keypad" />
          <span>{TEXTS.keypad}</span>
        </button>
      </div>
      <Volume loudspeaker={loudspeaker} />
      <div className="actions">
        <button type="button" className="round decline" ref={hangUp} onClick={() => phone.hangUp()}>
          <Icon name="handset" />
          <span>{TEXTS.hangUp}</span>
        </button>
      </div>
    </section>
  )
}

function Volume({ loudspeaker }: { loudspeaker: Loudspeaker }) {
  const level = useSyncExternalStore(loudspeaker.subscribe, loudspeaker.get)
  return (
    <label className="volume">
      <Icon name="loudspeaker" />
      <input
        type="range"
        aria-label={TEXTS.loudspeaker}
        aria-valuetext={TEXTS.percent(level)}
        min={0}
        max={100}
        step={5}
        value={Math.round(level * 100)}
        onChange={({ target }) => loudspeaker.setLevel(target.valueAsNumber / 100)}
      />
    </label>
  )
}

function Duration({ since }: { since: number }) {
  return (
    <time aria-label={TEXTS.duration} role="timer">
      {durationText(useNow(500) - since)}
    </time>
  )
}
