declare module '@20minutes/s3rver' {
  interface Options {
    port: number
    address: string
    /** Where it keeps what it is given. */
    directory: string
    silent: boolean
    allowMismatchedSignatures: boolean
    configureBuckets: { name: string }[]
  }
  /** A store that speaks S3 and keeps everything in a folder. It takes the key S3RVER with the secret S3RVER. */
  class S3rver {
    readonly httpServer: import('node:http').Server
    constructor(options: Options)
    run(): Promise<import('node:net').AddressInfo>
  }
  export = S3rver
}
