/** Stands for the name of a visitor whose row has none: 'Hey there,'. */
export const NAMELESS = 'there'
