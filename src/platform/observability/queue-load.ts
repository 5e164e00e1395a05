declare module 'fastify' {
  interface FastifyInstance {
    /** Load of every queue that refuses work when it is full, by name. */
    loads: Map<string, Load>
  }
}

/** Load of a queue with a limit. */
export interface Load {
  running: number
  waiting: number
  /** Refused since the start. */
  refused: number
}
