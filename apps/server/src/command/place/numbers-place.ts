import { hostedNumbers, numberHandlers } from '@heyline/back-office'
import { createVisitors } from '@heyline/backend/stored-visitors'
import { createCallerIds } from '@heyline/call-desk'
import { PlatformClient } from '@heyline/platform-client'
import { openPhoneNumbers, TwilioAccount } from '@heyline/voice-platform'
import { ownBook } from '../../ends/number-book.js'
import { type NumbersPlace, runningNumbers } from '../../numbers/running-numbers.js'
import { hostedVisitors } from '../../visitors/hosted-visitors.js'
import type { CommandContext } from '../terminal/terminal.js'
import { refuseNowhere, withOwnDatabase } from './own-database.js'

/** Reaches the numbers: at the running server, or, if no server runs, in the database itself. Of a hosted platform they are there. */
export async function withNumbers(context: CommandContext, work: (numbers: NumbersPlace) => Promise<void>) {
  const { settings } = context
  const { backend, platform, publicUrl, twilio } = settings
  refuseNowhere(settings, 'are no numbers')
  return withOwnDatabase<NumbersPlace>(
    context,
    {
      running: runningNumbers,
      stopped: (db) =>
        asked(
          numberHandlers({
            book: platform
              ? hostedNumbers(
                  new PlatformClient({ token: platform.privateKey, baseUrl: platform.url }),
                  platform.phoneNumberId,
                )
              : ownBook(
                  settings,
                  openPhoneNumbers(db, twilio && new TwilioAccount({ ...twilio, publicUrl })),
                ),
            callerIds: createCallerIds(db),
            visitors: backend ? hostedVisitors(backend) : createVisitors(db),
          }),
        ),
    },
    work,
  )
}

/** As the client of a running server has them. */
const asked = (handlers: ReturnType<typeof numberHandlers>): NumbersPlace => ({
  list: () => handlers.list(),
  add: (number) => handlers.add(number),
  receive: (which) => handlers.receive(which),
  setDefault: (which) => handlers.setDefault(which),
  remove: (which) => handlers.remove(which),
  assigned: (which) => handlers.assigned(which),
  assign: (which) => handlers.assign(which),
})
