import { setting } from './setting.js'
import { wholeNumber, words } from './value.js'

/** How the server stops. */
export const drainEnvironment = {
  DRAIN_DELAY_SECONDS: setting(wholeNumber(0, 300), {
    meaning:
      'After SIGTERM the server says that it is not ready (`/-/ready` answers 503), and everything still works for so long, 0 to 300: a balancer needs this time to notice. Without a value: 5 where `PUBLIC_URL` is not a loopback address, otherwise 0.',
  }),
  DRAIN_SECONDS: setting(wholeNumber(0, 43_200), {
    default: '120',
    meaning:
      'After that no new call begins, and running calls of the built-in platform may go on for so long, 0 to 43200. Those that are left then hear `DRAIN_GOODBYE`. `0`: they are cut at once. Give the process both times and 30 s more before it is killed (`terminationGracePeriodSeconds`, `TimeoutStopSec`, `stop_grace_period`). Ctrl-C waits for no call, and another signal ends the server at once. The same one within a second counts once, because npm and service managers send it twice.',
  }),
  DRAIN_GOODBYE: setting(words(200), {
    default: 'I am sorry, I have to end our call now. Please try again in a moment.',
    meaning:
      'What the assistant says in a call that the server has to end, in up to 200 characters. It has eight seconds.',
  }),
}
