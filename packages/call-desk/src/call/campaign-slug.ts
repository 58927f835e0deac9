/** The slug of a campaign's calls in the records. No visitor has it: new slugs hold no brackets. */
export const CAMPAIGN_SLUG = '(campaign)'
