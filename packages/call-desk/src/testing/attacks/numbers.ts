import { addNumbers } from '../../gate/do-not-call.js'
import { type Attack, stranger } from './attack.js'

/** Asks for each of these numbers as a stranger. */
const each = (name: string, phones: string[], more: Partial<Attack> = {}): Attack => ({
  name,
  async run({ ask }) {
    for (const [place, phone] of phones.entries()) await ask({ ...stranger(place), phone })
  },
  calls: 0,
  ...more,
})

const LISTED = '+14155552671'
/** Ways to write one number. The last are none: they must not be understood as another. */
const SPELLINGS = [
  '+14155552671',
  ' +1 (415) 555-2671 ',
  '+1.415.555.2671',
  '+1 4 1 5 5 5 5 2 6 7 1',
  '+1/415/555-2671',
  '+1\u00a0415\u00a0555\u00a02671',
  '+１４１５５５５２６７１',
  '+01 415 555 2671',
  '+1 1 415 555 2671',
  '001 415 555 2671',
]

/** Numbers that cost more, ring elsewhere, or are more than a number. */
export const numbers: Attack[] = [
  each('Caribbean numbers with +1', [
    '+18765018765',
    '+18092345678',
    '+18292345678',
    '+14412345678',
    '+12684641234',
    '+12642351234',
    '+17872345678',
    '+16712345678',
  ]),
  each(
    'premium-rate numbers',
    ['+19002345678', '+447912345678', '+449012345678', '+37190123456', '+611300123456'],
    {
      gate: { countries: new Map(['US', 'LV', 'AU'].map((country) => [country, 250_000])) },
    },
  ),
  each('premium-rate exchanges inside ordinary areas', ['+12129761234', '+14159761234', '+1 (617) 976-1234']),
  each('satellite and other global networks', [
    '+881612345678',
    '+870773111632',
    '+882161234567',
    '+883510001234567',
    '+979123456789',
    '+878101234567890',
  ]),
  each(
    'personal, toll-free and company numbers',
    ['+15005552671', '+15332345678', '+18002345678', '+18882345678', '+447012345678', '+443031231234'],
    {
      gate: {
        countries: new Map([
          ['US', 250_000],
          ['GB', 250_000],
        ]),
      },
    },
  ),
  each('extensions', [
    '+14155552671;ext=123',
    '+14155552671 ext. 123',
    '+1 415 555 2671 x123',
    '+14155552671#123',
    '+14155552671,,123',
    '+14155552671;postd=123',
  ]),
  each('addresses and words around a number', [
    'tel:+14155552671',
    'TEL:+1-415-555-2671',
    'tel:5552671;phone-context=+1415',
    'sip:+14155552671@example.com',
    'call +1 415 555 2671 now',
    '+14155552671\n+19002345678',
    '+1415555\u200b2671',
    '\u202e+14155552671',
    '+1415555CALL',
    '911',
    '+1911',
  ]),
  each('our own numbers', ['+12025550100', '+1 (202) 555-0100'], {
    options: { ownNumbers: async () => ['+12025550100'] },
  }),
  {
    name: 'a number on the do-not-call list in other spellings',
    async run(attacker) {
      await addNumbers(attacker.db, [LISTED], 'caller')
      for (const [place, phone] of SPELLINGS.entries()) await attacker.ask({ ...stranger(place), phone })
    },
    calls: 0,
  },
  {
    name: 'one number in other spellings',
    async run({ ask, hangUp }) {
      for (const [place, phone] of SPELLINGS.entries()) {
        await ask({ ...stranger(place), phone })
        await hangUp()
      }
    },
    calls: 1,
  },
]
