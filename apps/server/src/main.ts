import { mainCommand } from './command/main-command.js'
import { SettingError } from './settings/setting-error.js'

try {
  await mainCommand().parseAsync()
} catch (error) {
  // What a person can mend is one line; a defect keeps its stack.
  const mendable = error instanceof SettingError || (error instanceof Error && 'code' in error)
  console.error(mendable ? `heyline: ${error.message}` : error)
  process.exit(1)
}
