/** What answers at the platform's address is no voice platform. */
export class NoPlatformError extends Error {
  override readonly name = 'NoPlatformError'
}
