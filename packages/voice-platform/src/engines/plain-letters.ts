/**
 * Characters of other scripts that stand for a long word or a phrase: ﷺ is 18 letters in their usual form, ㌖ (kilometre) six. Those with
 * Latin letters in them, as ㎯ (rad∕s2), are none.
 */
const PHRASES = '\u321d\u321e\u327c\u3300-\u3357\ufdfa\ufdfb'
const PHRASE = new RegExp(`^[${PHRASES}]$`, 'u')
const OTHERS = new RegExp(`[^${PHRASES}]+`, 'gu')

/** Whether a character stands for a phrase, so that `usualForms` leaves it as it is. */
export const isPhrase = (character: string): boolean => PHRASE.test(character)

/**
 * Letters and digits in their usual form: full-width and mathematical ones, ligatures. With `NFKD` accents come apart from their letters.
 * Characters that stand for a phrase stay, so that no text becomes more than six times as long.
 */
export const usualForms = (text: string, form: 'NFKC' | 'NFKD'): string =>
  text.replace(OTHERS, (some) => some.normalize(form))

/** `usualForms` without accents and other marks. */
export const plainLetters = (text: string): string => usualForms(text, 'NFKD').replace(/\p{M}/gu, '')
