import { useEffect } from 'react'
import type { Text } from './phone.js'
import type { PocketPhone } from './pocket-phone.js'
import { TextMessage } from './text-message.js'
import { TEXTS } from './texts.js'

/** All texts that this page has got. Looking at them is reading them. */
export function MessagesView({ texts, phone }: { texts: Text[]; phone: PocketPhone }) {
  useEffect(() => phone.readTexts())
  return (
    <section className="list" aria-labelledby="messages">
      <header>
        <h2 id="messages">{TEXTS.messages}</h2>
        {texts.length > 0 && (
          <button type="button" className="plain" onClick={() => phone.eraseTexts()}>
            {TEXTS.eraseTexts}
          </button>
        )}
      </header>
      <div role="log" aria-label={TEXTS.texts} className="texts">
        {texts.map((text) => (
          <TextMessage key={text.id} text={text} />
        ))}
      </div>
      <p className="nothing">{texts.length === 0 ? TEXTS.noTexts : TEXTS.textsStay}</p>
    </section>
  )
}
