export { addressRefusal, publicKeyRefusal } from './refusal.js'
