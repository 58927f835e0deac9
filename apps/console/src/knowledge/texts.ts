const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`

export const KNOWLEDGE_TEXTS = {
  title: 'Knowledge',
  intro: 'The assistant looks things up in these files, in calls of this visitor alone.',
  none: 'No files yet.',
  viewer: 'Only editors and owners add and remove files.',
  add: 'Add files',
  takes: (endings: readonly string[], mostBytes: number) =>
    `${endings.join(', ')}; up to ${megabytes(mostBytes)} each. A file takes the place of one of the same name.`,
  size: (bytes: number) =>
    bytes < 1000
      ? `${bytes} B`
      : bytes < 1_000_000
        ? `${Math.round(bytes / 1000)} kB`
        : `${(bytes / 1_000_000).toFixed(1)} MB`,
  states: { processing: 'Being read', done: 'Ready', failed: 'Not readable' },
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  removeSure: 'Press again to remove',
  removed: (name: string) => `${name} was removed.`,
  sending: (name: string) => `Sending ${name}`,
  reading: (name: string) => `Reading ${name}`,
  progress: (percent: number, place: number, count: number) =>
    count === 1 ? `${percent} %` : `${percent} %, file ${place} of ${count}`,
  stop: 'Stop',
  stopped: 'Stopped. Files that were sent before stay.',
  added: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} was added.` : `${names.length} files were added.`,
  notAdded: 'Not added',
  otherKind: (name: string, endings: readonly string[]) =>
    `${name}: files of this kind are not read. Save it as one of these: ${endings.join(', ')}.`,
  tooLarge: (name: string, mostBytes: number) =>
    `${name} has more than ${megabytes(mostBytes)}: split it into several files.`,
  empty: (name: string) => `${name} is empty: choose another file.`,
  notRead: (name: string) => `${name} can't be read on this device: choose it again.`,
  unanswered: (name: string) =>
    `${name}: the server did not answer. Look at the list whether it is there, and try again.`,
} as const
