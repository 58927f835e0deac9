export { clientOf, confirmByApp } from './auth-end.js'
export { type HostedAuthOptions, openHostedAuth } from './hosted-auth.js'
export { openSmtpServer, type SmtpServerOptions } from './smtp-server.js'
