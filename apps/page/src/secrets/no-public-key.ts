/** Stands for the platform's public key in a page that asks the platform nothing: the helper needs some token. */
export const NO_PUBLIC_KEY = 'none'
