export { NO_PUBLIC_KEY } from './no-public-key.js'
export { addressRefusal, publicKeyRefusal } from './refusal.js'
