declare module 'node-fetch2' {
  export { default } from 'node-fetch'
}
