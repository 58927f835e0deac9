/** How long an access token holds, in seconds. */
export const TOKEN_LIFE_S = 3600
