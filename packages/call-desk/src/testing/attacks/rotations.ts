import { type Attack, block, stranger, times } from './attack.js'

/** Many requests that differ in all but one thing, or in everything. */
export const rotations: Attack[] = [
  {
    name: 'rotating numbers in one block',
    async run({ ask, hangUp, wait }) {
      for (const place of times(8)) {
        await ask({ ...stranger(place), phone: block(1, 2600 + place) })
        await hangUp()
        await wait('70 seconds')
      }
    },
    calls: 3,
  },
  {
    name: 'rotating addresses in one network',
    async run({ ask, hangUp, wait }) {
      for (const place of times(10)) {
        await ask({ ...stranger(place), address: `203.0.113.${place}` })
        await hangUp()
        await wait('70 seconds')
      }
    },
    calls: 6,
  },
  {
    name: 'rotating IPv6 addresses in one /64',
    async run({ ask, hangUp }) {
      for (const place of times(5)) {
        await ask({ ...stranger(place), address: `2001:db8:1:2::${place}` })
        await hangUp()
      }
    },
    calls: 2,
  },
  {
    name: 'rotating /64s in one /48',
    async run({ ask, hangUp, wait }) {
      for (const place of times(9)) {
        await ask({ ...stranger(place), address: `2001:db8:1:${place}::1` })
        await hangUp()
        await wait('70 seconds')
      }
    },
    calls: 6,
  },
  {
    name: 'rotating /64s in one /48 all day, for the money of everybody',
    async run({ ask, hangUp, wait }) {
      for (const place of times(15)) {
        await ask({ ...stranger(place), address: `2001:db8:1:${place}::1` })
        await hangUp()
        await wait('70 minutes')
      }
    },
    // Half of a day's 10 $, at 0.75 $ a call.
    calls: 6,
  },
  {
    name: 'an IPv4 address in IPv6 clothes',
    async run({ ask, hangUp }) {
      const clothes = ['203.0.113.1', '::ffff:203.0.113.1', '::ffff:cb00:7101', '::FFFF:203.0.113.1']
      for (const [place, address] of clothes.entries()) {
        await ask({ ...stranger(place), address })
        await hangUp()
      }
    },
    calls: 2,
  },
  {
    name: 'many pages from one address',
    async run({ ask, hangUp }) {
      for (const place of times(5)) {
        await ask({ ...stranger(place), address: '203.0.113.1' })
        await hangUp()
      }
    },
    calls: 2,
  },
  {
    name: 'many numbers from one address, day and night',
    // The limits of calls are off: the block for different numbers stands alone.
    gate: { addressLimits: [], networkLimits: [] },
    async run({ ask, hangUp, wait }) {
      for (const place of times(12)) {
        await ask({ ...stranger(place), address: '203.0.113.1' })
        await hangUp()
        await wait('25 minutes')
      }
    },
    calls: 3,
  },
  {
    name: 'one page from many addresses',
    async run({ ask, hangUp, wait }) {
      for (const place of times(7)) {
        await ask({ ...stranger(place), slug: 'acme' })
        await hangUp()
        await wait('70 seconds')
      }
    },
    calls: 3,
  },
  {
    name: 'one page for weeks',
    days: 31,
    async run({ ask, hangUp, wait }) {
      for (const place of times(9)) {
        await ask({ ...stranger(place), slug: 'acme' })
        await hangUp()
        await wait('2 days')
      }
    },
    calls: 5,
  },
  {
    name: 'one number of many pages, from many addresses',
    async run({ ask, hangUp, wait }) {
      for (const place of times(6)) {
        await ask({ ...stranger(place), phone: block(1) })
        await hangUp()
        await wait('1 hour')
      }
    },
    calls: 3,
  },
  {
    name: 'strangers in one minute',
    async run({ ask, hangUp }) {
      for (const place of times(9)) {
        await ask(stranger(place))
        await hangUp()
      }
    },
    calls: 5,
  },
  {
    name: 'strangers whose calls never end',
    async run({ ask, dialled, wait }) {
      for (const place of times(9)) {
        await ask(stranger(place))
        await dialled()
        await wait('1 minute')
      }
    },
    calls: 5,
  },
  {
    name: 'strangers all day, until the money of a day is spent',
    async run({ ask, hangUp, wait }) {
      for (const place of times(20)) {
        await ask(stranger(place))
        await hangUp()
        await wait('1 hour')
      }
    },
    // Three minutes at 0.25 $: thirteen calls cost 9.75 $ of 10 $.
    calls: 13,
  },
]
