import type { CreateToken, ListTokens, Token, UpdateToken } from '../api/token.js'
import type { RequestOptions } from '../request/request-input.js'

/** The organisation's tokens, private and public. */
export interface Tokens {
  /** The newest first, with their values; 100 unless `limit` says otherwise (at most 1000). `GET /token` */
  list(query?: ListTokens, options?: RequestOptions): Promise<Token[]>
  /** Makes a token. `POST /token` */
  create(body: CreateToken, options?: RequestOptions): Promise<Token>
  /** One token, with its value. `GET /token/{id}` */
  get(id: string, options?: RequestOptions): Promise<Token>
  /** Changes what is given; the value stays. `PATCH /token/{id}` */
  update(id: string, body: UpdateToken, options?: RequestOptions): Promise<Token>
  /** Deletes a token and answers what it was. `DELETE /token/{id}` */
  delete(id: string, options?: RequestOptions): Promise<Token | undefined>
}
