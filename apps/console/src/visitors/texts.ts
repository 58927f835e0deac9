export const VISITORS_TEXTS = {
  title: 'Visitors',
  search: 'Search visitors',
  searchHint: 'Name or slug',
  name: 'Name',
  slug: 'Slug',
  none: 'No visitors yet',
  noneText: 'A visitor is somebody you made a demo page for. Add one, and send them its link.',
  noMatch: 'Nobody is called that',
  noMatchText: 'Try a part of the name or of the slug.',
} as const
