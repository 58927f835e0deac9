export { openTestDb as openDeskDb } from '@heyline/database/testing'
