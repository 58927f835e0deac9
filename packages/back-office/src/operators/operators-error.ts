/** Why operators could not be read or changed as asked, or somebody is not let in. */
export type OperatorsErrorCode =
  | 'invalid_request'
  | 'invalid_email'
  | 'invalid_role'
  | 'invalid_code'
  | 'weak_password'
  | 'operator_not_found'
  | 'already_operator'
  | 'account_gone'
  | 'last_owner'
  | 'setup_done'
  | 'setup_running'
  | 'unauthorized'
  | 'forbidden'
  | 'step_up_needed'
  | 'not_an_operator'
  | 'second_factor_needed'
  | 'accounts_refused'
  | 'accounts_unreachable'
  | 'operators_unreachable'
  | 'no_secret_key'
  | 'foreign_page'
  | 'password_needed'
  | 'wrong_password'
  | 'too_many_attempts'
  | 'too_many_keys'
  | 'key_not_found'
  | 'assistant_not_found'
  | 'assistant_refused'
  | 'version_not_found'
  | 'platform_unreachable'
  | 'no_test_calls'
  | 'test_call_refused'
  | 'too_many_test_calls'
  | 'undo_gone'
  | 'number_not_found'
  | 'number_refused'
  | 'file_refused'
  | 'file_not_found'
  | 'file_gone'
  | 'knowledge_full'
  | 'ticket_not_found'
  | 'not_supported'
  | 'of_settings'
  | 'busy'
  | 'too_many_exports'
  | 'too_many_pages'
  | 'too_many_reads'
  | 'too_many_imports'
  | 'too_many_changes'
  | 'changed_in_part'

/** The message says what is wrong and what to do; it holds no code and no password. */
export class OperatorsError extends Error {
  override readonly name = 'OperatorsError'
  readonly code: OperatorsErrorCode
  /** After how many seconds to ask again, where that is known. */
  readonly waitSeconds: number | undefined

  constructor(
    code: OperatorsErrorCode,
    message: string,
    { waitSeconds, ...options }: ErrorOptions & { waitSeconds?: number } = {},
  ) {
    super(message, options)
    this.code = code
    this.waitSeconds = waitSeconds
  }
}

export const notAnOperator = () =>
  new OperatorsError('not_an_operator', 'This account is no operator here: ask an owner for an invitation')
