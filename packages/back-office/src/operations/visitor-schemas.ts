// What the console's forms check visitors by, as the API does.
export { LONGEST_FIRST_MESSAGE, newVisitor } from '@heyline/backend/visitors'
