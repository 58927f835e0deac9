import { findPostgres } from '@heyline/database/testing'
import { it } from 'vitest'

if (!findPostgres()) it.skip('what is only on Postgres (left out: Postgres is not installed here)')
