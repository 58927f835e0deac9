/** The slug of test calls in the records. No visitor has it: new slugs hold no brackets. */
export const TEST_SLUG = '(test)'
