export { type Operator, OperatorAccess, type OperatorAccessOptions } from './access/operator-access.js'
export { type Actor, type AuditLine, readAudit, writeAudit } from './audit/audit.js'
export { AuthAdmin, type AuthAdminOptions } from './auth-wire/auth-admin.js'
export { type Mailer, openMailer } from './mail/mailer.js'
export {
  type OperatorLine,
  type OperatorOffice,
  operatorLine,
  operatorRole,
  removedOperator,
  resetLink,
  type SentLink,
  sentLink,
  setupLink,
} from './operators/operator-office.js'
export { createOperators, type Operators } from './operators/operators.js'
export { OperatorsError, type OperatorsErrorCode } from './operators/operators-error.js'
export { ROLES, type Role, reaches } from './operators/role.js'
