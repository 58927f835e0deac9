/** The texts of what every screen is made of. */
export const UI_TEXTS = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser does not let us copy. Select the text, and copy it yourself.',
  undo: 'Undo',
  undoFailed: 'This could not be undone.',
  notices: 'Notices',
  loading: 'Loading…',
  length: (used: number, most: number) =>
    `${used.toLocaleString('en-GB')} of ${most.toLocaleString('en-GB')} characters`,
  tooLong: (over: number) => `${over.toLocaleString('en-GB')} characters too long`,
  selectAll: 'Select all rows of this page',
  selectRow: (name: string) => `Select ${name}`,
  sortBy: (column: string) => `Sort by ${column}`,
  pages: (label: string) => `Pages of ${label}`,
  range: (first: number, last: number, total: number) =>
    `${first.toLocaleString('en-GB')}–${last.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}`,
  previous: 'Previous page',
  next: 'Next page',
} as const
