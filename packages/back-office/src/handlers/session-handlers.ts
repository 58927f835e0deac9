import type { ConsoleDoors } from '../sessions/console-doors.js'
import type { HandlersOf } from './handlers.js'

/** `doors` throws where there can be no operators. */
export const sessionHandlers = (doors: () => ConsoleDoors): HandlersOf<'session'> => ({
  show: async (_, { visit }) => doors().sessions.show(visit),
  signIn: async (given, { visit }) => doors().signingIn.signIn(visit, given),
  spendLink: async (given, { visit }) => doors().signingIn.spendLink(visit, given),
  askReset: async (given, { visit }) => done(doors().signingIn.askReset(visit, given)),
  setUp: async (given, { visit }) => doors().signingIn.setUp(visit, given),
  sendCode: async ({ factorId }, { visit }) => doors().account.sendCode(visit, factorId),
  confirm: async (given, { visit }) => doors().account.confirm(visit, given),
  spendRecoveryCode: async (given, { visit }) => doors().account.spendRecoveryCode(visit, given),
  stepUp: async (given, { visit }) => doors().account.stepUp(visit, given),
  changePassword: async (given, { visit }) => doors().account.changePassword(visit, given),
  addFactor: async (given, { visit }) => doors().account.addFactor(visit, given),
  finishFactor: async (given, { visit }) => doors().account.finishFactor(visit, given),
  removeFactor: async ({ factorId }, { visit }) => doors().account.removeFactor(visit, factorId),
  newRecoveryCodes: async (_, { visit }) => doors().account.newRecoveryCodes(visit),
  list: async (_, { visit }) => doors().account.list(visit),
  end: async ({ id }, { visit }) => done(doors().account.end(visit, id)),
  endOthers: async (_, { visit }) => done(doors().account.endOthers(visit)),
  signOut: async (_, { visit }) => doors().sessions.signOut(visit),
})

async function done(work: Promise<void>): Promise<Record<string, never>> {
  await work
  return {}
}
